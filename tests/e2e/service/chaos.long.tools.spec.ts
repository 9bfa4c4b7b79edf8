import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresPrograms } from "../../service/support/postgres.js";
import { scaled } from "../../scale.js";
import { runChaos } from "./support/chaos/run-chaos.js";

const minutes = scaled({ short: 1, long: 2 });
/** `CHAOS_SEED` repeats the faults of an earlier run. */
const seed = Number(process.env["CHAOS_SEED"] ?? Date.now() % 1_000_000);

describe("Two APIs, three workers and an agent worker, whose database fails over", function () {
    this.timeout((minutes + 20) * 60_000);

    before(function () {
        if (postgresPrograms() === undefined) {
            this.skip();
        }
    });

    it(`finish everything that they accept once, during ${minutes} minutes of faults (seed ${seed})`, async () => {
        const folder = await mkdtemp(join(tmpdir(), "chaos-"));
        try {
            const summary = await runChaos(folder, seed, minutes);
            console.log(JSON.stringify(summary, undefined, 4));
            assert.deepEqual(summary.violations, [], `seed ${seed}`);
        } finally {
            await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
        }
    });
});
