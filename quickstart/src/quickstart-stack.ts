import { mkdir } from "node:fs/promises";
import { LocalWorkspace, PulumiCommand, type Stack } from "@pulumi/pulumi/automation/index.js";
import { ensurePulumi } from "@pulumi-static-export/toolchain";
import type { StaticExportValues } from "./local-deployment.js";

export interface QuickstartStackOptions {
    /** The folder of Pulumi.yaml. */
    root: string;
    /** Where the engine keeps its state. */
    folder: string;
    passphrase: string;
    baseUrl: string;
    adminApiKey: string;
    print: (text: string) => void;
    signal: AbortSignal;
}

/** The throw-away stack of the root Pulumi.yaml, on a file backend, driven by the real engine. */
export class QuickstartStack {
    private constructor(
        private readonly stack: Stack,
        private readonly options: QuickstartStackOptions,
    ) {}

    static async open(options: QuickstartStackOptions): Promise<QuickstartStack> {
        const { print, signal, folder } = options;
        const pulumi = await ensurePulumi({ onProgress: (line) => print(`${line}\n`), signal });
        const home = `${folder}/home`;
        const backend = `${folder}/state`;
        await mkdir(home, { recursive: true });
        await mkdir(backend, { recursive: true });
        Object.assign(process.env, pulumi.env);
        const stack = await LocalWorkspace.createOrSelectStack(
            { stackName: "quickstart", workDir: options.root },
            {
                pulumiHome: home,
                pulumiCommand: await PulumiCommand.get({ skipVersionCheck: true }),
                envVars: {
                    ...pulumi.env,
                    PULUMI_BACKEND_URL: `file://${backend}`,
                    PULUMI_CONFIG_PASSPHRASE: options.passphrase,
                    STATIC_EXPORT_JOURNAL_DIR: `${folder}/jobs`,
                },
            },
        );
        await stack.setAllConfig({
            "static-export:baseUrl": { value: options.baseUrl },
            "static-export:adminApiKey": { value: options.adminApiKey, secret: true },
        });
        return new QuickstartStack(stack, options);
    }

    /** Runs `pulumi up`, with its output as it comes, and gives the values that a deployment takes. */
    async up(version: string | undefined): Promise<StaticExportValues> {
        if (version !== undefined) {
            await this.stack.setConfig("version", { value: version });
        }
        const { print, signal } = this.options;
        // A run that was killed leaves its lock behind; nobody else uses this stack.
        await this.stack.cancel().catch(() => undefined);
        await this.stack.up({ onOutput: print, signal, color: process.stdout.isTTY ? "always" : "never" });
        const { staticExport } = await this.stack.outputs();
        return staticExport?.value as StaticExportValues;
    }
}
