import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { LocalWorkspace, PulumiCommand, type OutputMap, type Stack } from "@pulumi/pulumi/automation/index.js";
import { ensurePulumi, exists } from "@pulumi-static-export/toolchain";
import { adminKeyPrefix } from "./quickstart-folder.js";

export interface QuickstartStackOptions {
    /** The folder of Pulumi.yaml. */
    workDir: string;
    /** Where the engine keeps its state. */
    folder: string;
    passphrase: string;
    baseUrl: string;
    adminApiKey: string;
    /** Further folders with the engine's plugins. */
    pluginFolders?: string[];
    env?: Record<string, string>;
    config?: Record<string, string>;
    print: (text: string) => void;
    signal: AbortSignal;
}

/** A throw-away stack on a file backend, driven by the real engine. */
export class QuickstartStack {
    private constructor(
        private readonly stack: Stack,
        private readonly options: QuickstartStackOptions,
    ) {}

    static async open(options: QuickstartStackOptions): Promise<QuickstartStack> {
        const { workDir, folder, print, signal } = options;
        const pulumi = await ensurePulumi({ onProgress: (line) => print(`${line}\n`), signal });
        const home = join(folder, "home");
        const backend = join(folder, "state");
        if (!(await exists(backend))) {
            // A configuration that an earlier stack encrypted could not be read with the new passphrase.
            await rm(join(workDir, "Pulumi.quickstart.yaml"), { force: true });
            await mkdir(home, { recursive: true });
            await mkdir(backend, { recursive: true });
        }
        const PATH = [...(options.pluginFolders ?? []), pulumi.env.PATH].join(process.platform === "win32" ? ";" : ":");
        // The automation API starts the command it finds on the PATH of this process.
        process.env.PATH = PATH;
        const stack = await LocalWorkspace.createOrSelectStack(
            { stackName: "quickstart", workDir },
            {
                pulumiHome: home,
                pulumiCommand: await PulumiCommand.get({ skipVersionCheck: true }),
                envVars: {
                    ...pulumi.env,
                    ...options.env,
                    PATH,
                    PULUMI_BACKEND_URL: `file://${backend}`,
                    PULUMI_CONFIG_PASSPHRASE: options.passphrase,
                    STATIC_EXPORT_JOURNAL_DIR: join(folder, "jobs"),
                },
            },
        );
        await stack.setAllConfig({
            "static-export:baseUrl": { value: options.baseUrl },
            "static-export:adminApiKey": { value: options.adminApiKey, secret: true },
            // Else the caller's environment could say how keys of another platform begin.
            "static-export:adminKeyPrefix": { value: adminKeyPrefix },
        });
        for (const [key, value] of Object.entries(options.config ?? {})) {
            await stack.setConfig(key, { value });
        }
        return new QuickstartStack(stack, options);
    }

    /** Runs `pulumi up`, unless it is aborted already, with its output as it comes, and gives the stack's outputs. */
    async up(version: string | undefined): Promise<OutputMap> {
        if (version !== undefined) {
            await this.stack.setConfig("version", { value: version });
        }
        const { print, signal } = this.options;
        // A run that was killed leaves its lock behind; nobody else uses this stack.
        await this.stack.cancel().catch(() => undefined);
        // The automation API does not look at a signal that was aborted before its command was started.
        signal.throwIfAborted();
        try {
            await this.stack.up({ onOutput: print, signal, color: process.stdout.isTTY ? "always" : "never" });
        } catch (error) {
            // What went wrong has been printed as it came; the automation API's error repeats all of it.
            throw new Error("pulumi up failed: see its diagnostics above.", { cause: error });
        }
        return this.stack.outputs();
    }

    async destroy(): Promise<void> {
        await this.stack.destroy({ onOutput: this.options.print, color: process.stdout.isTTY ? "always" : "never" });
    }
}
