import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createAgentWorker } from "../../../service/src/roles/agent-worker.js";
import { withFolder } from "../../sdk/support/files.js";

function workerIn(dataDir: string): { close(): Promise<void> } {
    return createAgentWorker({
        dataDir,
        database: "postgres://user@127.0.0.1:1/database",
        projects: { docs: { repository: "https://git.example.com/docs.git" } },
        agent: { command: [process.execPath] },
    });
}

describe("A worker that runs agents", () => {
    it("refuses a data folder that another one uses", async () => {
        await withFolder(async (folder) => {
            const first = workerIn(folder);
            assert.throws(() => workerIn(folder), { name: "ServiceOptionsError", message: /in use by another worker/ });
            await first.close();
            await workerIn(folder).close();
        });
    });

    it("refuses a data folder that cannot be created", async () => {
        await withFolder(async (folder) => {
            await writeFile(join(folder, "file"), "");
            assert.throws(() => workerIn(join(folder, "file", "data")), {
                name: "ServiceOptionsError",
                message: /^Data folder .* cannot be written \(ENOTDIR\): choose another one/,
            });
        });
    });
});
