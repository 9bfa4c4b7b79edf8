import assert from "node:assert/strict";
import { realpathSync } from "node:fs";
import { runHere } from "../../../service/src/agents/agent-here.js";
import { type SandboxFolders } from "../../../service/src/processes/sandbox.js";
import { withFolder } from "../../sdk/support/files.js";

type Run = Parameters<typeof runHere>;

/** Runs an agent, and returns the files that its sandbox hides. */
async function hiddenWith(signingKeyFile: string | undefined): Promise<readonly string[] | undefined> {
    let hidden: readonly string[] | undefined;
    await withFolder(async (folder) => {
        const sandbox = {
            wrap: (command: string[], folders: SandboxFolders) => {
                hidden = folders.hidden?.files;
                return command;
            },
        };
        const unbounded = { wrap: (command: string[]) => command, findExcess: () => Promise.resolve(undefined) };
        const agent = { command: ["/bin/true"], sandbox, commits: { signingKeyFile }, environment: {}, env: {} };
        await runHere(
            {
                ...{ jobId: "aj_1", prompt: "", agent: { ...agent, timeLimitMs: 60_000 } },
                repository: { objects: folder },
                workspace: { folder, checkout: folder, home: folder, temporary: folder, disk: unbounded },
                log: { addOutput: () => undefined, endOutput: () => undefined },
                signal: new AbortController().signal,
            } as unknown as Run[0],
            {
                userForRun: () => undefined,
                groupOf: () => ({ ...unbounded, end: () => Promise.resolve() }),
            } as unknown as Run[1],
            folder,
        );
    });
    return hidden;
}

describe("The key that signs agents' commits", () => {
    it("is hidden from agents in a sandbox, if it is among the system's programs and files", async () => {
        // Any files that exist on each machine.
        for (const file of ["/etc/passwd", realpathSync("/bin/sh")]) {
            assert.deepEqual(await hiddenWith(file), [file]);
        }
    });

    it("needs no hiding elsewhere, because sandboxes show nothing else", async () => {
        assert.deepEqual(await hiddenWith(import.meta.filename), []);
        assert.deepEqual(await hiddenWith(undefined), []);
    });
});
