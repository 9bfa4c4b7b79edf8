import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ensureTool } from "@pulumi-static-export/toolchain";
import { parseAllDocuments, stringify } from "yaml";

const run = promisify(execFile);

export const chartFolder = fileURLToPath(new URL("../../../charts/documentation-site", import.meta.url));

export const serviceChartFolder = fileURLToPath(new URL("../../../charts/static-export-service", import.meta.url));

/** A link signed by an object store; the part after the question mark must never be shown. */
export const signature = "5ec2e7516n47u4e";
export const link = `https://bundles.example.com/exports/se_42.tar.gz?X-Amz-Expires=600&X-Amz-Signature=${signature}`;

/** The values that a StaticExportBundle passes to the chart. */
export const exported = { staticExport: { enabled: true, bundleUrl: link, version: "2026-11-01" } };

/** Values that start the optional containers of a site's pods. */
export const sidecars = {
    access: {
        oidc: {
            issuer: "https://id.example.com",
            clientId: "docs",
            existingSecret: "docs-sign-in",
            url: "https://docs.example.com",
        },
    },
    answer: { enabled: true, image: { repository: "registry.example.com/static-export", tag: "1" } },
};

/** The end of the name of a Secret or ConfigMap that pods are started with. */
export const digest = /-[0-9a-f]{10}$/;

export interface Manifest {
    apiVersion: string;
    kind: string;
    metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
    [field: string]: unknown;
}

/** Runs helm with a values file, like Pulumi's Release. */
export async function helm(subcommand: string[], values: object, chart = chartFolder): Promise<string> {
    const folder = await mkdtemp(path.join(tmpdir(), "values-"));
    try {
        const file = path.join(folder, "values.yaml");
        await writeFile(file, stringify(values));
        const args = [...subcommand, chart, "--values", file];
        const { stdout } = await run(await ensureTool("helm"), args, { maxBuffer: 16 * 1024 * 1024 });
        return stdout;
    } finally {
        await rm(folder, { recursive: true });
    }
}

/** Returns the objects that `helm install` would create, by kind and name, without the pods of `helm test`. */
export async function render(values: object, chart?: string): Promise<Map<string, Manifest>> {
    return byKindAndName(await helm(["template", "docs", "--skip-tests"], values, chart));
}

export function objectsIn(output: string): Manifest[] {
    return parseAllDocuments(output).map((document) => {
        if (document.errors[0]) {
            throw document.errors[0];
        }
        return document.toJS() as Manifest;
    });
}

/** Returns rendered objects by kind and name. The names of Secrets and ConfigMaps are without their digest. */
export function byKindAndName(output: string): Map<string, Manifest> {
    return new Map(objectsIn(output).map((each) => [`${each.kind}/${nameOf(each)}`, each]));
}

/** Returns the name of an object, without the digest of a Secret or ConfigMap. */
export function nameOf({ kind, metadata: { name } }: Manifest): string {
    return ["Secret", "ConfigMap"].includes(kind) ? name.replace(digest, "") : name;
}

/** Returns helm's error for refused values. */
export async function refusal(values: object, chart?: string): Promise<string> {
    return helm(["template", "docs"], values, chart).then(
        () => {
            throw new Error("helm accepted the values");
        },
        (error: unknown) => (error as { stderr: string }).stderr,
    );
}

interface PodTemplate {
    metadata: { annotations: Record<string, string>; labels: Record<string, string> };
    spec: {
        automountServiceAccountToken: boolean;
        initContainers: Container[];
        containers: Container[];
        securityContext: Record<string, unknown>;
        volumes: { name: string; [source: string]: unknown }[];
    };
}

export interface Container {
    name: string;
    image: string;
    env: { name: string; value: string }[];
    securityContext: Record<string, unknown>;
    volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
    [field: string]: unknown;
}

export function podTemplate(manifests: Map<string, Manifest>): PodTemplate {
    const deployment = manifests.get("Deployment/docs-documentation-site");
    if (!deployment) {
        throw new Error(`no Deployment among ${[...manifests.keys()].join(", ")}`);
    }
    return (deployment.spec as { template: PodTemplate }).template;
}
