import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { DatabaseClock } from "../../../service/src/database/database-clock.js";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { migrateSchema } from "../../../service/src/database/postgres-schema.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { RetentionRounds } from "../../../service/src/jobs/retention-rounds.js";
import { Retention } from "../../../service/src/jobs/retention.js";
import { BundlesInBucket, StoredBundles } from "../../../service/src/storage/bundles-in-bucket.js";
import { batchSize } from "../../../service/src/storage/batches.js";
import { type Storage } from "../../../service/src/storage/create-storage.js";
import { S3Bucket } from "../../../service/src/storage/s3-bucket.js";
import { bucket as bucketName, useS3Server } from "../../provider/bundle-mirror/s3-server.js";
import { scaled } from "../../scale.js";
import { usePostgres } from "../support/postgres.js";

/** `SPEC_SCALE=100` removes 400,000. */
const bundles = scaled({ short: 2 * batchSize, long: 4 * batchSize });
const day = 24 * 3600 * 1000;

describe("A round of the retention with many bundles that belong to no job", function () {
    this.timeout(1000 * bundles);
    const postgres = usePostgres();
    const s3 = useS3Server();

    const digestOf = (number: number) => createHash("sha256").update(String(number)).digest("hex");

    /** Stores bundles that no job refers to, with their records. */
    async function fill(database: PostgresDatabase): Promise<void> {
        let next = 0;
        const put = async () => {
            while (next < bundles) {
                const Key = `bundles/${digestOf(next++)}.tar.gz`;
                await s3().client.send(new PutObjectCommand({ Bucket: bucketName, Key, Body: "x" }));
            }
        };
        await Promise.all(Array.from({ length: 16 }, put));
        await database.run(
            `INSERT INTO stored_bundles (sha256, size_bytes, recorded_at)
             SELECT encode(sha256(CAST(CAST(number AS text) AS bytea)), 'hex'), 1, 0
             FROM generate_series(0, CAST(:last AS int)) AS number`,
            { last: bundles - 1 },
        );
    }

    it("ends within one batch when the process is stopped, and another process removes the rest", async () => {
        const database = new PostgresDatabase(await postgres().createDatabase());
        try {
            await migrateSchema(database);
            await fill(database);
            let removals = 0;
            let onRemoval = (): void => undefined;
            const bucket = new (class extends S3Bucket {
                override async remove(names: readonly string[]): Promise<void> {
                    removals += 1;
                    onRemoval();
                    await super.remove(names);
                }
            })({ name: bucketName, prefix: "", endpoint: s3().endpoint, publicEndpoint: undefined });
            const log: string[] = [];
            const logger = {
                info: (line: string) => void log.push(line),
                error: (line: string) => void log.push(line),
            };
            const records = new StoredBundles(database, () => Date.now() + day);
            const store = new SiteJobStore(database, Date.now);
            const retention = () =>
                new Retention({
                    jobs: [store],
                    bundleJobs: store,
                    storage: { bundles: new BundlesInBucket({ bucket, records, logger }) } as unknown as Storage,
                    rounds: new RetentionRounds(database, Date.now),
                    clock: new DatabaseClock(database, Date.now, logger),
                    keepDays: 90,
                    keepJobs: 200,
                    linkTtlSeconds: 60,
                    logger,
                });
            const left = async () => (await records.measure()).bundles;
            const stopped = retention();
            const hasStopped = new Promise<void>((resolve, reject) => {
                onRemoval = () => void stopped.close().then(resolve, reject);
            });
            stopped.start();
            await hasStopped;
            const after = bundles - batchSize;
            assert.deepEqual([removals, await left()], [1, after]);
            onRemoval = () => undefined;
            await retention().applyIfDue();
            assert.deepEqual([await left(), (await s3().keys()).length], [0, 0]);
            assert.deepEqual(log, [`Removed 0 old jobs, and ${after} bundles without a job.`]);
        } finally {
            await database.close();
        }
    });
});
