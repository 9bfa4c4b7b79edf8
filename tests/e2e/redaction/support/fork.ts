import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { run } from "../../../cli/support/command.js";
import { EngineStack } from "../../support/engine-stack.js";
import { type SecretStack } from "./secret-stack.js";
import { siteProgram } from "./site-program.js";
import { kubernetesProviderFolder } from "../../../support/kubernetes-provider.js";

/** A separate network without any other hosts. Pulumi's processes communicate over loopback. */
export const withoutRoute = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$0" "$@"'];

/**
 * Redacts the stack in its current state, and returns the text of each file.
 * @param env - for example the stack's passphrase
 */
export async function redact(
    { stack }: SecretStack,
    env: Record<string, string> = { PULUMI_CONFIG_PASSPHRASE: "e2e" },
): Promise<Record<"state.json" | "Pulumi.dev.yaml", string>> {
    const folder = await mkdtemp(join(tmpdir(), "static-export-redacted-"));
    try {
        await writeFile(join(folder, "exported.json"), (await stack.succeed("stack", "export")).stdout);
        const args = ["exported.json", "--config", join(stack.folder, "Pulumi.dev.yaml"), "--out", "redacted"];
        const { exitCode, stderr } = await run(folder, ["redact-state", ...args], env);
        if (exitCode !== 0 || stderr !== "") {
            throw new Error(`static-export redact-state ended with ${exitCode}:\n${stderr}`);
        }
        const read = (name: string) => readFile(join(folder, "redacted", name), "utf8");
        return { "state.json": await read("state.json"), "Pulumi.dev.yaml": await read("Pulumi.dev.yaml") };
    } finally {
        await rm(folder, { recursive: true });
    }
}

/**
 * Creates a machine that previews a redacted stack: it has no key, passphrase or kubeconfig and, by default, no
 * network.
 */
export async function createFork({ network = false, env = {} } = {}): Promise<EngineStack> {
    return EngineStack.create({
        program: siteProgram,
        env: { PULUMI_CONFIG_PASSPHRASE: "redacted", KUBECONFIG: "/nonexistent", ...env },
        pathFolders: [await kubernetesProviderFolder()],
        commandPrefix: network ? [] : withoutRoute,
    });
}

/** Replaces the fork's redacted stack. */
export async function takeOver(fork: EngineStack, redacted: Awaited<ReturnType<typeof redact>>): Promise<void> {
    await writeFile(join(fork.folder, "Pulumi.dev.yaml"), redacted["Pulumi.dev.yaml"]);
    await writeFile(join(fork.folder, "redacted-state.json"), redacted["state.json"]);
    await fork.succeed("stack", "import", "--file", "redacted-state.json");
}
