import assert from "node:assert/strict";
import { Monitoring, type Monitored } from "../../../service/src/monitoring/monitoring.js";
import { silentLogger } from "../../../service/src/shared/logger.js";
import { Probe } from "../support/probe.js";

describe("A process whose bucket cannot be reached", () => {
    for (const [needsStorage, ready] of [
        [false, { status: 200, text: "ready\n" }],
        [true, { status: 503, text: "storage: 503 Slow Down\n" }],
    ] as const) {
        it(`is ${ready.status === 200 ? "ready" : "not ready"} if it ${needsStorage ? "needs" : "works without"} the bucket`, async () => {
            const queue = () => Promise.resolve({ queued: 0, running: 0, oldestQueuedAt: undefined });
            const monitored: Monitored = {
                database: { assertWritable: () => Promise.resolve() },
                storage: { bundles: { assertReachable: () => Promise.reject(new Error("503 Slow Down")) } },
                hasBundles: true,
                needsStorage,
                jobFolders: [],
                siteJobs: { queue },
                agentJobs: { queue },
                siteFaults: () => [],
                databaseClock: { offsetMs: 0, problem: undefined },
                retentionRounds: { lastSuccessAt: () => Promise.resolve(new Date(0)) },
            };
            const probe = await Probe.create();
            const monitoring = new Monitoring(probe.health, Date.now, silentLogger);
            await monitoring.start(monitored);
            try {
                monitoring.started();
                assert.deepEqual(await probe.ask("/readyz"), ready);
                assert.deepEqual(await monitoring.findProblems(monitored), ["storage: 503 Slow Down"]);
            } finally {
                await monitoring.close();
            }
        });
    }
});
