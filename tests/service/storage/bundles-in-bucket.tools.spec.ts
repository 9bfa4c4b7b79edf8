import { CreateBucketCommand, DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { S3Bucket } from "../../../service/src/storage/s3-bucket.js";
import { BundlesInBucket } from "../../../service/src/storage/bundles-in-bucket.js";
import { type Archive } from "../../../service/src/storage/bundle-storage.js";
import { PageCaches } from "../../../service/src/storage/page-caches.js";
import { SiteJobAttempts } from "../../../service/src/exports/site-job-attempts.js";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { migrateSchema } from "../../../service/src/database/postgres-schema.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { PageCacheRecords } from "../../../service/src/storage/page-cache-records.js";
import { StoredBundles } from "../../../service/src/storage/bundles-in-bucket.js";
import { bucket as bucketName, useS3Server } from "../../provider/bundle-mirror/s3-server.js";
import { usePostgres } from "../support/postgres.js";

const domain = "docs.example.com";
const hourMs = 3600 * 1000;
const content = "the whole archive";
const archive: Archive = {
    sha256: createHash("sha256").update(content).digest("hex"),
    sizeBytes: content.length,
};
const key = `docs/bundles/${archive.sha256}.tar.gz`;
const running = new AbortController().signal;
const putOf = (Key: string) => new PutObjectCommand({ Bucket: bucketName, Key, Body: "half" });

interface Fixture {
    storage: BundlesInBucket;
    bucket: S3Bucket;
    caches: PageCaches;
    store: SiteJobStore;
    attempts: SiteJobAttempts;
    /** Writes a file with this content. */
    file: (text: string) => Promise<string>;
    /** Creates a folder with these files for the cache of a domain. */
    cache: (files: Record<string, string>) => Promise<string>;
    recorded: () => Promise<string[]>;
    sweep: () => Promise<number>;
    passes: (ms: number) => void;
    errors: string[];
}

describe("The bundle storage in a bucket", () => {
    const postgres = usePostgres();
    const s3 = useS3Server();

    async function withStorage(
        use: (fixture: Fixture) => Promise<void>,
        { name = bucketName, onError = (): void => undefined } = {},
    ): Promise<void> {
        const folder = await mkdtemp(join(tmpdir(), "bucket-"));
        const database = new PostgresDatabase(await postgres().createDatabase());
        let now = Date.parse("2026-11-01T10:00:00Z");
        const clock = (): number => now;
        const errors: string[] = [];
        const logger = {
            info: () => undefined,
            error: (message: string) => {
                errors.push(message);
                onError();
            },
        };
        const bucket = new S3Bucket({ name, prefix: "docs/", endpoint: s3().endpoint, publicEndpoint: undefined });
        const storage = new BundlesInBucket({
            bucket,
            records: new StoredBundles(database, clock),
            logger,
            retryMs: 1,
        });
        const caches = new PageCaches({ bucket, records: new PageCacheRecords(database, clock), logger });
        const store = new SiteJobStore(database, clock);
        try {
            await migrateSchema(database);
            await use({
                storage,
                bucket,
                caches,
                store,
                attempts: new SiteJobAttempts(database, clock),
                file: async (text) => {
                    const path = join(folder, "bundle.tar.gz");
                    await writeFile(path, text);
                    return path;
                },
                cache: async (files) => {
                    const path = await mkdtemp(join(folder, "cache-"));
                    for (const [file, text] of Object.entries(files)) {
                        await writeFile(join(path, file), text);
                    }
                    return path;
                },
                recorded: async () =>
                    (await database.all<{ sha256: string }>("SELECT sha256 FROM stored_bundles")).map(
                        ({ sha256 }) => sha256,
                    ),
                sweep: async () => {
                    const betweenBatches = () => Promise.resolve();
                    await caches.removeOutdated(betweenBatches);
                    return storage.removeBundles(
                        (archives, remove) => store.whileUnused(archives, remove),
                        betweenBatches,
                    );
                },
                passes: (ms) => (now += ms),
                errors,
            });
        } finally {
            await bucket.close();
            await database.close();
            await rm(folder, { recursive: true, force: true });
        }
    }

    it("reads a complete archive, and says that one is missing", async () => {
        await withStorage(async ({ storage, file }) => {
            assert.equal(await storage.read(archive), "missing");
            await storage.keep(await file(content), archive, running);
            const stored = await storage.read(archive);
            assert.equal(typeof stored === "string" ? stored : await text(stored), content);
        });
    });

    it("stores bundles as objects named by their digest, and records them in the database", async () => {
        await withStorage(async ({ storage, file, recorded }) => {
            await storage.keep(await file(content), archive, running);
            assert.deepEqual(await s3().keys(), [key]);
            assert.equal(String(await s3().read(key)), content);
            assert.deepEqual(await recorded(), [archive.sha256]);
            assert.deepEqual(await storage.measure(), { bundles: 1, bytes: content.length });
            assert.equal(await storage.examine(archive), "intact");
        });
    });

    it("refuses a bundle if a byte differs from the export", async () => {
        await withStorage(async ({ storage, file }) => {
            const path = await file(content.replace("whole", "whale"));
            await assert.rejects(storage.keep(path, archive, running), {
                name: "StorageUnavailableError",
                message: /^Bucket s3:\/\/docs-bundles: PutObject failed \(/,
            });
            assert.deepEqual(await s3().keys(), []);
        });
    });

    it("uploads a bundle once, even if many jobs share it", async () => {
        await withStorage(async ({ storage, file }) => {
            const path = await file(content);
            await storage.keep(path, archive, running);
            await rm(path);
            await storage.keep(path, archive, running);
        });
    });

    it("records a bundle before uploading it, and uploads it when the bucket is available again", async () => {
        let created: Promise<unknown> | undefined;
        const name = "created-late";
        const onError = (): void => {
            created ??= s3().client.send(new CreateBucketCommand({ Bucket: name }));
        };
        await withStorage(
            async ({ storage, file, recorded, errors }) => {
                const path = await file(content);
                const keeping = storage.keep(path, archive, running);
                await keeping;
                assert.match(errors[0] ?? "", /could not be stored yet: .* failed \(/);
                assert.deepEqual(await recorded(), [archive.sha256]);
                assert.equal(await storage.examine(archive), "intact");
            },
            { name, onError },
        );
    });

    it("reports a bundle as damaged if its size differs, and as missing if it was removed", async () => {
        await withStorage(async ({ storage }) => {
            assert.equal(await storage.examine(archive), "missing");
            await s3().client.send(new PutObjectCommand({ Bucket: bucketName, Key: key, Body: "half" }));
            assert.equal(await storage.examine(archive), "damaged");
            assert.equal(await storage.deliver(archive, "docs.tar.gz"), "damaged");
            assert.equal(await storage.read(archive), "damaged");
        });
    });

    it("removes a bundle that no job uses, but not during the hour when a lost run may still upload it", async () => {
        await withStorage(async ({ storage, file, recorded, sweep, passes }) => {
            await storage.keep(await file(content), archive, running);
            passes(hourMs);
            assert.equal(await sweep(), 0);
            assert.deepEqual(await s3().keys(), [key]);
            passes(1);
            assert.equal(await sweep(), 1);
            assert.deepEqual([await s3().keys(), await recorded()], [[], []]);
        });
    });

    it("keeps a bundle while a job uses it or a run is about to use it", async () => {
        await withStorage(async ({ storage, store, attempts, file, sweep, passes }) => {
            await store.create({ domain: "docs.example.com" });
            const job = await attempts.claim();
            assert.ok(job);
            await attempts.announce(job, archive.sha256);
            await storage.keep(await file(content), archive, running);
            passes(2 * hourMs);
            assert.equal(await sweep(), 0);
            await attempts.complete(job, { pageCount: 1, ...archive });
            assert.equal(await sweep(), 0);
            assert.deepEqual(await s3().keys(), [key]);
        });
    });

    it("removes unused bundles that a database restore has lost, but only a week after finding them", async () => {
        await withStorage(async ({ storage, recorded, sweep, passes, store, attempts }) => {
            const lost = ["b", "c"].map((digit) => digit.repeat(64));
            const client = s3().client;
            for (const sha256 of lost) {
                await client.send(putOf(`docs/bundles/${sha256}.tar.gz`));
            }
            await client.send(putOf("docs/bundles/notes.txt"));
            await client.send(putOf(`other/bundles/${archive.sha256}.tar.gz`));
            assert.equal(await storage.recordFound(() => Promise.resolve()), 2);
            assert.equal(await storage.recordFound(() => Promise.resolve()), 0);
            assert.deepEqual((await recorded()).sort(), lost);
            passes(7 * 24 * hourMs);
            assert.equal(await sweep(), 0);
            // Another restore brings back one of the jobs.
            await store.create({ domain });
            const job = await attempts.claim();
            assert.ok(job);
            await attempts.complete(job, { pageCount: 1, sizeBytes: 1, sha256: lost[0] ?? "" });
            passes(1);
            assert.equal(await sweep(), 1);
            assert.deepEqual(await recorded(), [lost[0]]);
        });
    });

    it("lists bundles page by page", async () => {
        await withStorage(async ({ bucket }) => {
            for (const name of ["1", "2", "3"]) {
                await s3().client.send(putOf(`docs/bundles/${name}`));
            }
            const pages: string[][] = [];
            for await (const page of bucket.list("bundles/", 2)) {
                pages.push(page.map(({ name }) => name));
            }
            assert.deepEqual(pages, [["bundles/1", "bundles/2"], ["bundles/3"]]);
        });
    });

    it("keeps the record of a bundle that could not be removed, so that the next removal retries", async () => {
        await withStorage(async ({ storage, file, recorded, sweep, passes }) => {
            await storage.keep(await file(content), archive, running);
            passes(2 * hourMs);
            await s3().kill();
            await assert.rejects(sweep(), { name: "StorageUnavailableError" });
            await s3().resume();
            assert.deepEqual(await recorded(), [archive.sha256]);
            assert.equal(await sweep(), 1);
            assert.deepEqual(await s3().keys(), []);
        });
    });

    it("gives the page cache of another worker's last export to a worker that is new to the site", async () => {
        await withStorage(async ({ caches, cache }) => {
            await caches.keep(domain, await cache({ "docs.pages": "first", "docs.pages.json": "[1]" }), running);
            await caches.keep(domain, await cache({ "docs.pages": "second", "docs.pages.json": "[2]" }), running);
            const folder = await cache({});
            await caches.restore(domain, folder, running);
            assert.deepEqual((await readdir(folder)).sort(), ["docs.pages", "docs.pages.json"]);
            assert.equal(await readFile(join(folder, "docs.pages"), "utf8"), "second");
            const used = await cache({ "docs.pages": "own" });
            await caches.restore(domain, used, running);
            assert.equal(await readFile(join(used, "docs.pages"), "utf8"), "own");
        });
    });

    it("leaves the folder empty, so that all pages are rendered, if a page cache is damaged or missing", async () => {
        const domain = "damaged.example.com";
        await withStorage(async ({ caches, cache, errors }) => {
            await caches.keep(domain, await cache({ "docs.pages": "pages", "docs.pages.json": "[1]" }), running);
            const [key = ""] = (await s3().keys()).filter((each) => each.startsWith(`docs/caches/${domain}/`));
            const { Body } = await s3().client.send(new GetObjectCommand({ Bucket: bucketName, Key: key }));
            const whole = Buffer.from((await Body?.transformToByteArray()) ?? []);
            const altered = Buffer.from(whole);
            altered[12] = (altered[12] ?? 0) ^ 1;
            for (const damaged of [altered, whole.subarray(0, -4)]) {
                await s3().client.send(new PutObjectCommand({ Bucket: bucketName, Key: key, Body: damaged }));
                const folder = await cache({});
                await caches.restore(domain, folder, running);
                assert.deepEqual(await readdir(folder), []);
                assert.match(String(errors.pop()), /^The page cache of \S+ could not be fetched, .* is damaged$/);
            }
            await s3().client.send(new DeleteObjectCommand({ Bucket: bucketName, Key: key }));
            const folder = await cache({});
            await caches.restore(domain, folder, running);
            assert.deepEqual(await readdir(folder), []);
        });
    });

    it("removes an outdated page cache an hour after its upload began, and keeps the current cache", async () => {
        await withStorage(async ({ caches, cache, sweep, passes }) => {
            const stored = async () => (await s3().keys()).filter((each) => each.startsWith("docs/caches/sweep."));
            for (const text of ["first", "second"]) {
                await caches.keep("sweep.example.com", await cache({ "docs.pages": text }), running);
            }
            await sweep();
            assert.equal((await stored()).length, 2);
            passes(hourMs + 1);
            await sweep();
            assert.equal((await stored()).length, 1);
            const folder = await cache({});
            await caches.restore("sweep.example.com", folder, running);
            assert.equal(await readFile(join(folder, "docs.pages"), "utf8"), "second");
        });
    });
});
