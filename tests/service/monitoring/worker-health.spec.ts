import { migrateDatabase } from "@pulumi-static-export/service";
import assert from "node:assert/strict";
import { bucket, useS3Server } from "../../provider/bundle-mirror/s3-server.js";
import { usePostgres } from "../support/postgres.js";
import { Probe } from "../support/probe.js";
import { withFolder } from "../support/running-service.js";
import { withWorker } from "../support/running-worker.js";
import { copyingExporter } from "../support/scripted-exporter.js";

describe("The health of a worker with a bucket", () => {
    const postgres = usePostgres();
    const s3 = useS3Server();

    it("is not ready while the storage is down, but alive, says why, and counts what failed", async () => {
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
});
