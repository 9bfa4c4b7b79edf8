import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { AgentHistory } from "../../../service/src/history/agent-history.js";
import { AgentLogs } from "../../../service/src/storage/agent-logs.js";

const jobId = "aj_1";
const partBytes = 256 * 1024;
const line = `${"é".repeat(49)}\n`;

/** The logs of the runs of one job in a bucket, which counts the bytes that it sends. */
function keptLogs(logs: readonly string[]) {
    const contents = logs.map((log) => Buffer.from(log));
    const contentOf = (name: string): Buffer => contents[Number(/(\d+)\.log$/.exec(name)?.[1]) - 1]!;
    const counts = { bytes: 0, requests: 0 };
    const bucket = {
        sizeOf: (name: string) => Promise.resolve((counts.requests++, contentOf(name).length)),
        read: (name: string, from: number, length: number) => {
            counts.requests += 1;
            counts.bytes += length;
            return Promise.resolve(contentOf(name).subarray(from, from + length));
        },
    };
    const rows = logs.map((_log, index) => ({ attempt: index + 1 }));
    const database = { all: () => Promise.resolve(rows) } as unknown as ServiceDatabase;
    const kept = new AgentLogs(bucket as never, database, Date.now);
    return { history: new AgentHistory(database, "/none", kept), counts };
}

describe("The log of an agent job with many long runs", () => {
    const runs = Array.from({ length: 40 }, (_, run) => line.repeat(10_000) + `The end of run ${run + 1}.\n`);

    it("is read from the bucket only where it is shown, and its sizes are asked once", async () => {
        const { history, counts } = keptLogs(runs);
        const { next } = await history.log(jobId, -partBytes);
        const requests = counts.requests;
        const poll = await history.log(jobId, next);
        assert.equal(poll.text, "");
        assert.equal(counts.requests, requests);
        assert.ok(counts.bytes <= partBytes, `${counts.bytes} bytes`);
    });

    it("is shown from its end, beginning with a whole line", async () => {
        const { history } = keptLogs(runs);
        const { text, from, next } = await history.log(jobId, -partBytes);
        assert.ok(text.endsWith("The end of run 40.\n"));
        assert.ok(text.startsWith(line));
        assert.equal(next - from, Buffer.byteLength(text));
    });

    it("begins with a whole character, wherever a client begins to read", async () => {
        const { history } = keptLogs(["a€😀b\n"]);
        const parts = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((from) => history.log(jobId, from)));
        assert.deepEqual(
            parts.map(({ text, from }) => [text, from]),
            [
                ["€😀b\n", 1],
                ["😀b\n", 4],
                ["😀b\n", 4],
                ["😀b\n", 4],
                ["b\n", 8],
                ["b\n", 8],
                ["b\n", 8],
                ["b\n", 8],
            ],
        );
    });

    it("is complete if all parts are read one after another", async () => {
        const { history } = keptLogs(runs.slice(0, 3));
        let whole = "";
        for (let part = await history.log(jobId, 0); part.text !== ""; part = await history.log(jobId, part.next)) {
            whole += part.text;
        }
        assert.equal(whole, runs.slice(0, 3).join(""));
    });

    it("is shown from its end if it is in the data folder", async () => {
        const folder = await mkdtemp(join(tmpdir(), "logs-"));
        try {
            await mkdir(join(folder, "agent", "logs"), { recursive: true });
            await writeFile(join(folder, "agent", "logs", `${jobId}.log`), runs.join(""));
            const history = new AgentHistory({} as ServiceDatabase, folder, undefined);
            const { text } = await history.log(jobId, -partBytes);
            assert.ok(text.endsWith("The end of run 40.\n"));
        } finally {
            await rm(folder, { recursive: true });
        }
    });
});
