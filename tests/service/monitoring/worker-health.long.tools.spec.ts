import { migrateDatabase } from "@pulumi-static-export/service";
import assert from "node:assert/strict";
import { bucket, useS3Server } from "../../provider/bundle-mirror/s3-server.js";
import { usePostgres } from "../support/postgres.js";
import { Probe } from "../support/probe.js";
import { withFolder, withServiceOver } from "../support/running-service.js";
import { withWorker } from "../support/running-worker.js";
import { copyingExporter } from "../support/scripted-exporter.js";

describe("The health endpoint of a process with a shared database and a bucket", () => {
    const postgres = usePostgres();
    const s3 = useS3Server();

    it("reports a worker as alive but not ready while the storage is down, and names the reason", async () => {
        const database = await postgres().createDatabase();
        await migrateDatabase(database);
        const probe = await Probe.create();
        const options = {
            bucket: { url: `s3://${bucket}/docs`, endpoint: s3().endpoint },
            exporter: copyingExporter,
            health: probe.health,
        };
        await withFolder((folder) =>
            withWorker(folder, database, options, async () => {
                assert.deepEqual(await probe.ask("/readyz"), { status: 200, text: "ready\n" });
                await s3().kill();
                const { status, text } = await probe.ask("/readyz");
                assert.deepEqual([status, text.startsWith("storage: ")], [503, true], text);
                assert.equal((await probe.ask("/livez")).status, 200);
                await s3().resume();
                assert.equal((await probe.ask("/readyz")).status, 200);
                const failures = await probe.metric('static_export_storage_errors_total{operation="HeadBucket"}');
                assert.ok(Number(failures) >= 1, `${failures} failures`);
            }),
        );
    });

    it("reports an API as ready while the storage is down, because no other API could reach the storage", async () => {
        const database = await postgres().createDatabase();
        await migrateDatabase(database);
        const probe = await Probe.create();
        const options = {
            database,
            bucket: { url: `s3://${bucket}/docs`, endpoint: s3().endpoint },
            health: probe.health,
        };
        await withFolder((folder) =>
            withServiceOver(folder, options, async ({ request, start }) => {
                await s3().kill();
                try {
                    assert.deepEqual(await probe.ask("/readyz"), { status: 200, text: "ready\n" });
                    await start();
                    const { problems } = (await request("GET", "/v1/service")).body as { problems: string[] };
                    assert.match(problems.join("\n"), /^storage: /);
                } finally {
                    await s3().resume();
                }
            }),
        );
    });

    it("serves a service's other metrics while the database is down, and counts failed queue reads", async () => {
        const database = await postgres().createDatabase();
        await migrateDatabase(database);
        const probe = await Probe.create();
        await withFolder((folder) =>
            withServiceOver(folder, { database, health: probe.health }, async ({ request }) => {
                assert.equal(await probe.metric("static_export_queue_oldest_seconds"), 0);
                assert.ok(Number(await probe.metric('static_export_database_connections{state="idle"}')) >= 1);
                assert.equal(await probe.metric('static_export_database_connections{state="waiting"}'), 0);
                await postgres().kill();
                assert.equal((await request("GET", "/v1/static-export/jobs/se_1")).status, 503);
                const { status, text } = await probe.ask("/metrics");
                assert.equal(status, 200);
                assert.match(text, /^static_export_requests_total\{operation="get",status="503"\} 1$/m);
                // An earlier value would hide that the queue's state is unknown.
                assert.doesNotMatch(text, /^static_export_(?:agent_)?queue_(?:jobs|prompts|oldest_seconds)\b/m);
                assert.ok(Number(await probe.metric("static_export_queue_errors_total")) >= 1);
                await postgres().resume();
                assert.equal(await probe.metric("static_export_queue_oldest_seconds"), 0);
                assert.equal(await probe.metric('static_export_queue_jobs{status="queued"}'), 0);
            }),
        );
    });
});
