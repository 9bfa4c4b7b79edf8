import { randomUUID } from "node:crypto";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { kubernetesProviderFolder } from "../../../support/kubernetes-provider.js";
import { EngineStack } from "../../support/engine-stack.js";
import { adminApiKey, domain, Platform } from "../../support/platform.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const releaseType = "kubernetes:helm.sh/v3:Release";

export interface StateResource {
    urn: string;
    type: string;
    inputs: Record<string, unknown>;
    outputs: Record<string, unknown>;
    [field: string]: unknown;
}

/** The program of the specs: one export and one release, each with additional arguments. */
interface ProgramParts {
    /** Arguments of the export besides its domain. */
    bundle?: string;
    /** Arguments of the release besides its chart and values. */
    release?: string;
    /** Values besides `staticExport`. */
    values?: string;
    domain?: string;
    /** Statements after the two resources. */
    rest?: string;
}

export function programOf({ bundle = 'version: "1"', release = "", values = "", ...parts }: ProgramParts = {}): string {
    return `
import * as k8s from "@pulumi/kubernetes";
import { BundleMirror } from "pulumi-static-export";
const bundle = new StaticExportBundle("docs", { domain: "${parts.domain ?? domain}", ${bundle} });
new k8s.helm.v3.Release("docs", {
    name: "docs", namespace: "docs", chart: "./chart", atomic: true, cleanupOnFail: true, timeout: 600, ${release}
    values: { ${values} staticExport: { enabled: true, bundleUrl: bundle.bundleUrl, version: bundle.version } },
});
${parts.rest ?? ""}
`;
}

/** A preview with the engine's events. */
export interface RecordedPreview {
    exitCode: number | null;
    /** The event log, without data of this machine and this run. */
    log: string;
    output: string;
}

/** A stack with an export and a release in its state, created without a cluster, and functions to preview changes. */
export class PreviewStack {
    #base = "";

    private constructor(
        readonly stack: EngineStack,
        readonly platform: Platform,
    ) {}

    static async create(): Promise<PreviewStack> {
        const platform = await Platform.start();
        const stack = await EngineStack.create({
            program: `new StaticExportBundle("docs", { domain: "${domain}", version: "1" });`,
            config: { "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
            env: { PULUMI_DEBUG_COMMANDS: "1", KUBECONFIG: "/nonexistent" },
            pathFolders: [await kubernetesProviderFolder()],
        });
        const created = new PreviewStack(stack, platform);
        await cp(join(root, "charts/documentation-site"), join(stack.folder, "chart"), { recursive: true });
        await stack.up();
        await created.write(programOf());
        await created.#addRelease();
        created.#base = await readFile(join(stack.folder, "state.json"), "utf8");
        platform.requests.length = 0;
        return created;
    }

    /** Restores the state of a complete export that is served. */
    async reset(): Promise<void> {
        await this.#import(this.#base);
    }

    write(program: string): Promise<void> {
        return this.stack.writeProgram(program);
    }

    /** Changes the state of the export. */
    async changeExport(outputs: Record<string, unknown>, without: readonly string[] = []): Promise<void> {
        await this.edit((resources) => {
            const bundle = resources.find(({ type }) => type.endsWith(":StaticExportBundle"))!;
            Object.assign(bundle.outputs, outputs);
            without.forEach((output) => delete bundle.outputs[output]);
        });
    }

    async edit(change: (resources: StateResource[]) => void): Promise<void> {
        const { stdout } = await this.stack.succeed("stack", "export");
        const state = JSON.parse(stdout) as { deployment: { resources: StateResource[] } };
        change(state.deployment.resources);
        await this.#import(JSON.stringify(state));
    }

    async preview(...args: string[]): Promise<RecordedPreview> {
        const file = join(this.stack.folder, "events.log");
        const { exitCode, output } = await this.stack.run("preview", "--event-log", file, ...args);
        const log = this.#withoutMachine(await readFile(file, "utf8"));
        await rm(file);
        return { exitCode, log, output };
    }

    async remove(): Promise<void> {
        await this.stack.remove();
        await this.platform.stop();
    }

    /** Adds the release to the state as its provider would, with the inputs from the preview of the new release. */
    async #addRelease(): Promise<void> {
        const { log } = await this.preview();
        const steps = log.split("\n").map((line) => parseStep(line));
        const { inputs } = steps.find((step) => step?.type === releaseType)!.new;
        const provider = `urn:pulumi:dev::e2e::pulumi:providers:kubernetes::default_4_34_2`;
        const id = randomUUID();
        await this.edit((resources) => {
            const [stack, ...others] = resources;
            const bundle = others.find(({ type }) => type.endsWith(":StaticExportBundle"))!;
            const { bundleUrl, version } = bundle.outputs;
            const resolved = { ...inputs, values: { staticExport: { enabled: true, bundleUrl, version } } };
            const settings = { version: "4.34.2" };
            resources.push(
                {
                    urn: provider,
                    type: "pulumi:providers:kubernetes",
                    custom: true,
                    id,
                    inputs: settings,
                    outputs: settings,
                },
                {
                    urn: `urn:pulumi:dev::e2e::${releaseType}::docs`,
                    type: releaseType,
                    custom: true,
                    id: "docs/docs",
                    parent: stack!.urn,
                    provider: `${provider}::${id}`,
                    dependencies: [bundle.urn],
                    propertyDependencies: { values: [bundle.urn] },
                    inputs: resolved,
                    outputs: {
                        ...resolved,
                        resourceNames: { "Deployment.apps/apps/v1": ["docs/docs-documentation-site"] },
                        status: { name: "docs", namespace: "docs", revision: 1, status: "deployed" },
                    },
                },
            );
        });
    }

    async #import(state: string): Promise<void> {
        await writeFile(join(this.stack.folder, "state.json"), state);
        await this.stack.succeed("stack", "import", "--file", "state.json");
    }

    /** Debug lines, and the warnings about a provider on PATH, concern only this machine. */
    #withoutMachine(log: string): string {
        const ofMachine =
            /"severity":"debug"|using pulumi-resource-\w+ from \$PATH|resource plugin \w+ is expected to have/;
        return log
            .split("\n")
            .filter((line) => !ofMachine.test(line))
            .join("\n")
            .replaceAll(this.stack.folder, "/program")
            .replaceAll(root, "/checkout/")
            .replaceAll(homedir(), "/home/user")
            .replaceAll(this.platform.service.url, "http://127.0.0.1:8787")
            .replace(/("__provider":"exports\.handler = __f0;)(?:[^"\\]|\\.)*"/g, '$1…"');
    }
}

function parseStep(line: string): { type: string; new: { inputs: Record<string, unknown> } } | undefined {
    const event = JSON.parse(line || "{}") as { resourcePreEvent?: { metadata: never } };
    return event.resourcePreEvent?.metadata;
}
