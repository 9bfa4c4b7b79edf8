import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { UsageError } from "../command-line/usage-error.js";
import { placeholdersFile, readRedactedConfiguration } from "../redaction/read-redacted-configuration.js";
import { throwAwayPassphrase } from "../redaction/redact-stack.js";
import { configurationOf, type PulumiProject } from "../project/pulumi-project.js";
import { readStateFile } from "../redaction/pulumi/state-file.js";
import { referencedStacks } from "./referenced-stacks.js";
import { runPulumi } from "./run-preview.js";

interface RestoreOptions {
    /** The folder that `static-export redact-state` has written. */
    redacted: string;
    project: PulumiProject;
    /** The name without organization and project, because the stack is in a temporary backend. */
    stack: string;
    env: NodeJS.ProcessEnv;
}

/** Environment and further arguments of `pulumi preview`. */
interface RestoredStack {
    env: NodeJS.ProcessEnv;
    args: readonly string[];
}

/**
 * Restores a redacted stack, and the outputs of the stacks that it references, into a temporary backend and removes
 * the backend afterwards. The checkout's configuration is redacted in a copy, so that no file of the checkout changes.
 *
 * @throws UsageError when a file is missing, or Pulumi rejects the state
 */
export async function withRedactedStack<T>(
    { redacted, project, stack, env }: RestoreOptions,
    use: (restored: RestoredStack) => Promise<T>,
): Promise<T> {
    const state = resolve(redacted, "state.json");
    if (!existsSync(state)) {
        throw new UsageError(`There is no ${join(redacted, "state.json")}: write it with static-export redact-state.`);
    }
    const configuration = redactedConfiguration(configurationOf(project, stack), redacted);
    const folder = await mkdtemp(join(tmpdir(), "static-export-redacted-"));
    try {
        await mkdir(join(folder, "backend"));
        // Only the name counts for restoring a state; the program runs in its own folder.
        await writeFile(join(folder, "Pulumi.yaml"), JSON.stringify({ name: project.name, runtime: "nodejs" }));
        const settings = join(folder, basename(configurationOf(project, stack)));
        if (configuration !== undefined) {
            await writeFile(settings, configuration);
        }
        const backend = {
            ...env,
            PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
            PULUMI_CONFIG_PASSPHRASE: throwAwayPassphrase,
            PULUMI_CONFIG_PASSPHRASE_FILE: undefined,
        };
        const restore = (cwd: string, name: string, file: string) => restoreStack(cwd, backend, name, file);
        await restore(folder, stack, state);
        for (const referenced of referencedStacks(readStateFile(await readFile(state)), project.name)) {
            // Pulumi accepts another project's stack only in a folder of that project.
            const cwd = await mkdtemp(join(folder, "referenced-"));
            await writeFile(join(cwd, "Pulumi.yaml"), JSON.stringify({ name: referenced.project, runtime: "nodejs" }));
            await writeFile(join(cwd, "state.json"), JSON.stringify(referenced.state));
            await restore(cwd, referenced.stack, join(cwd, "state.json"));
        }
        return await use({ env: backend, args: ["--config-file", settings] });
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
}

async function restoreStack(cwd: string, env: NodeJS.ProcessEnv, name: string, state: string): Promise<void> {
    for (const args of [
        ["stack", "init", name],
        ["stack", "import", "--stack", name, "--file", state],
    ]) {
        const { exitCode, lastOutput } = await runPulumi([...args, "--non-interactive"], { cwd, env });
        if (exitCode !== 0) {
            throw new UsageError(`The redacted stack could not be restored: ${lastOutput.trim()}`);
        }
    }
}

/**
 * The arguments of a preview that refreshes only if they ask for it: a refresh needs the credentials of the providers,
 * and `options.refresh: always` in Pulumi.yaml would start one.
 */
export function withoutRefresh(args: readonly string[]): readonly string[] {
    return args.some((arg) => /^(-r|--refresh)(=|$)/.test(arg)) ? args : ["--refresh=false", ...args];
}

/**
 * The checkout's configuration with the placeholders of the redacted stack; undefined if neither has a configuration.
 */
function redactedConfiguration(file: string, redacted: string): string | undefined {
    return existsSync(file) || existsSync(join(redacted, placeholdersFile))
        ? readRedactedConfiguration(file, redacted)
        : undefined;
}
