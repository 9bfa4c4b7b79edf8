import assert from "node:assert/strict";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type AnyJobRunner } from "../../../service/src/jobs/runner.js";
import { type Retention } from "../../../service/src/jobs/retention.js";
import { type Monitored, Monitoring } from "../../../service/src/monitoring/monitoring.js";
import { type Parts } from "../../../service/src/roles/open-parts.js";
import { createService } from "../../../service/src/roles/service.js";
import { type WatchedSites } from "../../../service/src/roles/watched-sites.js";
import { createWorkerProcess } from "../../../service/src/roles/worker-process.js";
import { silentLogger } from "../../../service/src/shared/logger.js";
import { waitUntil } from "../../wait-until.js";
import { adminApiKey, domain, withFolder } from "../support/running-service.js";

/** The timers and servers that keep this process from ending. */
const running = (): string[] =>
    process.getActiveResourcesInfo().filter((name) => name === "Timeout" || name === "TCPServerWrap");

describe("A service that is closed while it starts", () => {
    it("says so, and leaves nothing that would keep its process from ending", async () => {
        await withFolder(async (folder) => {
            const before = running();
            for (const turns of [0, 5]) {
                const service = createService({
                    ...{ dataDir: join(folder, "data"), sites: { [domain]: join(folder, "site") }, adminApiKey },
                    health: { host: "127.0.0.1", port: 0 },
                });
                const started = service.listen().then(
                    () => "started",
                    (error: Error) => error.name,
                );
                for (let turn = 0; turn < turns; turn += 1) {
                    await new Promise(setImmediate);
                }
                await service.close();
                assert.ok(["AbortError", turns > 0 && "started"].includes(await started), await started);
                await assert.rejects(service.listen(), { name: "AbortError" });
            }
            // A server that is closed is still listed for a moment.
            await waitUntil("nothing is left", () => isDeepStrictEqual(running(), before));
        });
    });
});

describe("A health server that is closed while it starts", () => {
    it("does not listen", async () => {
        // Now, the timer of this spec runs.
        await new Promise(setImmediate);
        const before = running();
        const lines: string[] = [];
        const logger = { ...silentLogger, info: (line: string) => void lines.push(line) };
        const monitoring = new Monitoring({ host: "127.0.0.1", port: 0 }, Date.now, logger);
        const started = monitoring.start({} as Monitored);
        monitoring.closing();
        await monitoring.close();
        await started;
        await waitUntil("nothing is left", () => isDeepStrictEqual(running(), before), { withinMs: 5000 });
        assert.deepEqual(lines, []);
    });
});

describe("A worker that is closed while it starts", () => {
    it("says so, and starts nothing more", async () => {
        const events: string[] = [];
        const starts = (what: string) => ({
            start: () => void events.push(what),
            close: () => Promise.resolve(),
        });
        const [preparing, prepared] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const runner: Partial<AnyJobRunner> = {
            start: () => {
                preparing.resolve();
                return prepared.promise;
            },
            close: () => Promise.resolve(),
        };
        const parts = {
            monitoring: {
                start: () => Promise.resolve(),
                started: () => events.push("ready"),
                closing: () => undefined,
            },
            workers: { report: () => Promise.resolve(void events.push("report")), remove: () => Promise.resolve() },
            waitUntilReady: () => Promise.resolve(),
            untilReached: (step: () => Promise<void>) => step(),
            clock: Date.now,
            database: {},
            close: () => Promise.resolve(),
        };
        const worker = createWorkerProcess(
            parts as unknown as Parts,
            runner as AnyJobRunner,
            { kind: "export", concurrency: 1 },
            {
                retention: starts("retention") as unknown as Retention,
                sites: starts("sites") as unknown as WatchedSites,
            },
        );
        const started = worker.start();
        await preparing.promise;
        const closed = worker.close().then(() => events.push("closed"));
        await new Promise(setImmediate);
        assert.deepEqual(events, []);
        prepared.resolve();
        await assert.rejects(started, { name: "AbortError" });
        await closed;
        await assert.rejects(worker.start(), { name: "AbortError" });
        assert.deepEqual(events, ["closed"]);
    });
});
