import assert from "node:assert/strict";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { withSqlite } from "../support/sqlite.js";

const minuteMs = 60_000;

describe("The mark of a bundle that is being removed", () => {
    for (const [when, laterMs, expected] of [
        ["is kept for five minutes after its process died", 5 * minuteMs, ["new", "old"]],
        ["is removed by the next removal after that", 5 * minuteMs + 1, ["new"]],
        ["is removed by the next removal if the clock was set back", -5 * minuteMs - 1, ["new"]],
    ] as const) {
        it(when, async () => {
            await withSqlite(async (database) => {
                let now = Date.UTC(2026, 11, 1);
                const store = new SiteJobStore(database, () => now);
                const marks = () =>
                    database.all<{ sha256: string }>("SELECT sha256 FROM bundle_removals ORDER BY sha256");
                const died = store.whileUnused(["old"], () => Promise.reject(new Error("the machine is lost")));
                await assert.rejects(died, /the machine is lost/);
                now += laterMs;
                await store.whileUnused(["new"], async () => {
                    const found = await marks();
                    assert.deepEqual(
                        found.map(({ sha256 }) => sha256),
                        expected,
                    );
                });
            });
        });
    }
});
