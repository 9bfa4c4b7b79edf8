import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { LocalWorkspace, PulumiCommand, type OutputMap, type Stack } from "@pulumi/pulumi/automation/index.js";
import { ensurePulumi, exists } from "@pulumi-static-export/toolchain";
import { adminKeyPrefix } from "./quickstart-folder.js";

interface QuickstartStackOptions {
    /** The folder of Pulumi.yaml. */
    workDir: string;
    /** The folder of the engine's state. */
    folder: string;
    passphrase: string;
    baseUrl: string;
    adminApiKey: string;
    /** Additional folders with engine plugins. */
    pluginFolders?: string[];
    env?: Record<string, string>;
    config?: Record<string, string>;
    print: (text: string) => void;
    signal: AbortSignal;
}

/** A temporary stack on a file backend, run by the real engine. */
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
            // The new passphrase cannot decrypt a config file that an earlier stack encrypted.
            await rm(join(workDir, "Pulumi.quickstart.yaml"), { force: true });
            await mkdir(home, { recursive: true });
            await mkdir(backend, { recursive: true });
        }
        const PATH = [...(options.pluginFolders ?? []), pulumi.env.PATH].join(process.platform === "win32" ? ";" : ":");
        // The Automation API runs the `pulumi` it finds on this process's PATH.
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
            // Without this setting, the caller's environment could set the key prefix of another platform.
            "static-export:adminKeyPrefix": { value: adminKeyPrefix },
        });
        for (const [key, value] of Object.entries(options.config ?? {})) {
            await stack.setConfig(key, { value });
        }
        return new QuickstartStack(stack, options);
    }

    async setConfig(key: string, value: string): Promise<void> {
        await this.stack.setConfig(key, { value });
    }

    /** Runs `pulumi up`, unless aborted already, streams its output, and returns the stack's outputs. */
    async up(version: string | undefined): Promise<OutputMap> {
        if (version !== undefined) {
            await this.stack.setConfig("version", { value: version });
        }
        const { print, signal } = this.options;
        // A killed run leaves the stack locked; cancelling is safe, because nobody else uses this stack.
        await this.stack.cancel().catch(() => undefined);
        // The Automation API ignores a signal that was aborted before it starts the command.
        signal.throwIfAborted();
        try {
            await this.stack.up({ onOutput: print, signal, color: process.stdout.isTTY ? "always" : "never" });
        } catch (error) {
            // The diagnostics were already printed; the Automation API's error repeats all of them.
            throw new Error("pulumi up failed: see its diagnostics above.", { cause: error });
        }
        return this.stack.outputs();
    }

    async destroy(): Promise<void> {
        await this.stack.destroy({ onOutput: this.options.print, color: process.stdout.isTTY ? "always" : "never" });
    }
}
