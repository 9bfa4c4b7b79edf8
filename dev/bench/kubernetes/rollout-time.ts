import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { clusterDown, clusterUp } from "@pulumi-static-export/cluster";
import { ensureTool } from "@pulumi-static-export/toolchain";
import { ClusterPlatform } from "../../../tests/e2e/kubernetes/support/cluster-platform.js";
import { Namespace } from "../../../tests/e2e/kubernetes/support/namespace.js";
import { type LocalCluster } from "../../../tests/e2e/kubernetes/support/shared-cluster.js";
import { exporterOf, siteArchive } from "../../../tests/e2e/kubernetes/support/archives/site-archives.js";
import {
    clusterValues,
    createSiteStack,
    kubernetesImport,
    releaseText,
} from "../../../tests/e2e/kubernetes/support/site-stack.js";
import { median } from "../median.js";
import { type Figure, secondsOf } from "./figure.js";

const run = promisify(execFile);
const chart = fileURLToPath(new URL("../../../charts/documentation-site", import.meta.url));
const cluster = { name: "bench", kind: "local" } as const;
const replicaCount = 2;

/**
 * Rolls out new versions of one site in four alternating ways: `pulumi up` with a new export (job, link, release),
 * `pulumi up` back to the previous export, `pulumi up` of only a release with an existing link, and `helm upgrade
 * --wait` with that link. Exports are instant. Each rollout ends when all new pods are ready.
 */
export async function measureRollouts(rounds: number): Promise<Figure[]> {
    const up = (await clusterUp(cluster)) as LocalCluster;
    const exporter = exporterOf(({ version = "" }) => siteArchive(version));
    const platform = await ClusterPlatform.start(up, { exporter });
    const namespace = await Namespace.create(up, "bench");
    const staticExport = "{ enabled: true, bundleUrl: bundle.bundleUrl, version: bundle.version }";
    const stack = await createSiteStack(namespace, platform, {
        program: `${kubernetesImport}
            const version = new pulumi.Config().require("version");
            const jobId = new pulumi.Config().get("jobId");
            const bundle = new StaticExportBundle("docs", { domain: "docs.example.com", version, jobId });
            export const { bundleUrl } = bundle;
            export const served = bundle.jobId;
            ${releaseText(namespace, { staticExport, values: { replicaCount } })}`,
        config: { version: "0" },
    });
    const releaseOnly = await createSiteStack(namespace, platform, {
        program: `${kubernetesImport}
            const { bundleUrl, version } = new pulumi.Config().requireObject<Record<string, string>>("given");
            ${releaseText(namespace, { name: "only", staticExport: "{ enabled: true, bundleUrl, version }", values: { replicaCount } })}`,
    });
    const seconds = {
        pulumi: [] as number[],
        unchanged: [] as number[],
        back: [] as number[],
        releaseOnly: [] as number[],
        helm: [] as number[],
    };
    try {
        await stack.up();
        const values = join(stack.folder, "values.json");
        const helm = await ensureTool("helm");
        const upgrade = async (version: string) => {
            const bundleUrl = await stack.output("bundleUrl");
            const given = { ...clusterValues(up), replicaCount, staticExport: { enabled: true, bundleUrl, version } };
            await writeFile(values, JSON.stringify(given));
            const where = ["--namespace", namespace.name, "--kubeconfig", up.kubeconfig];
            return secondsOf(() =>
                run(helm, ["upgrade", "--install", "peer", chart, "--values", values, "--wait", ...where]),
            );
        };
        const upReleaseOnly = async (version: string) => {
            const given = { bundleUrl: await stack.output("bundleUrl"), version };
            await releaseOnly.succeed("config", "set", "--secret", "given", JSON.stringify(given));
            return secondsOf(() => releaseOnly.up());
        };
        await upgrade("first");
        await upReleaseOnly("first");
        for (let round = 1; round <= rounds; round++) {
            const before = String(await stack.output("served"));
            await stack.succeed("config", "set", "version", `${round}`);
            seconds.pulumi.push(await secondsOf(() => stack.up()));
            seconds.unchanged.push(await secondsOf(() => stack.up()));
            seconds.releaseOnly.push(await upReleaseOnly(`${round}`));
            seconds.helm.push(await upgrade(`${round}`));
            await stack.succeed("config", "set", "jobId", before);
            seconds.back.push(await secondsOf(() => stack.up()));
            await stack.succeed("config", "rm", "jobId");
        }
    } finally {
        for (const each of [stack, releaseOnly]) {
            await each.succeed("destroy", "--yes", "--skip-preview");
            await each.remove();
        }
        await platform.stop();
        await clusterDown(cluster);
    }
    const ratio = (all: number[]) => `${(median(all) / median(seconds.helm)).toFixed(2)} of helm`;
    return [
        {
            what: `pulumi up: export, link, rollout (${replicaCount} replicas)`,
            seconds: seconds.pulumi,
            ratio: ratio(seconds.pulumi),
        },
        {
            what: "pulumi up back to the export before: link, rollout",
            seconds: seconds.back,
            ratio: ratio(seconds.back),
        },
        {
            what: "pulumi up of the release alone, link at hand",
            seconds: seconds.releaseOnly,
            ratio: ratio(seconds.releaseOnly),
        },
        { what: "pulumi up with nothing to do", seconds: seconds.unchanged, ratio: ratio(seconds.unchanged) },
        { what: "helm upgrade --wait, link at hand", seconds: seconds.helm, ratio: "1" },
    ];
}
