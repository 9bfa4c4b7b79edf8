import assert from "node:assert/strict";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { migrateSchema } from "../../../service/src/database/postgres-schema.js";
import { SiteJobAttempts } from "../../../service/src/exports/site-job-attempts.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { untilBlocked, usePostgres } from "../support/postgres.js";
import { withQueue } from "../support/running-queue.js";
import { domain } from "../support/running-service.js";

const reason = "Cancelled by a client with the key ci.";

describe("An export job whose cancellation was confirmed", () => {
    const server = usePostgres();

    it("is not claimed, even if the claim began before the cancellation was stored", async () => {
        const url = await server().createDatabase();
        const [api, worker] = [new PostgresDatabase(url), new PostgresDatabase(url)];
        try {
            await migrateSchema(api);
            const store = new SiteJobStore(api, Date.now);
            const attempts = new SiteJobAttempts(worker, Date.now);
            const { jobId } = await store.create({ domain });
            const claimed = await api.transaction(async (transaction) => {
                const held = new SiteJobStore({ ...api, ...bound(transaction) } as PostgresDatabase, Date.now);
                assert.equal((await held.cancel(jobId, reason))?.status, "failed");
                const claiming = attempts.claim();
                await untilBlocked(api);
                return { claiming };
            });
            assert.equal(await claimed.claiming, undefined);
            assert.equal((await store.get(jobId))?.status, "failed");
        } finally {
            await Promise.all([api.close(), worker.close()]);
        }
    });

    it("ends as cancelled, even if its run ends before its next tick", async () => {
        for (const how of ["completes", "fails"] as const) {
            await withQueue(async ({ store, queue, exporter, ended }) => {
                const { jobId } = await store.create({ domain });
                await queue.startAlone();
                const running = await exporter.nth(1);
                // As another process does, whose worker learns of it only with a tick.
                await store.cancel(jobId, reason);
                await (how === "completes" ? running.complete() : running.fail(new Error("guide.md:1: broken")));
                assert.equal(await ended(jobId), "failed");
                const job = await store.get(jobId);
                assert.deepEqual([job?.error, job?.isCancelled, job?.sha256], [reason, true, null]);
            });
        }
    });

    it("leaves the equal exports that waited for its run to another run", async () => {
        await withQueue(async ({ store, queue, exporter, ended }) => {
            const { jobId } = await store.create({ domain });
            const equal = await store.create({ domain });
            await queue.startAlone();
            const running = await exporter.nth(1);
            await store.cancel(jobId, reason);
            await running.complete();
            assert.equal(await ended(jobId), "failed");
            await (await exporter.nth(2)).complete();
            assert.equal(await ended(equal.jobId), "completed");
        });
    });
});

function bound(client: Pick<PostgresDatabase, "all" | "get" | "run">) {
    return {
        all: client.all.bind(client),
        get: client.get.bind(client),
        run: client.run.bind(client),
    };
}
