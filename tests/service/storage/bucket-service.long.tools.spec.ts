import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { downloadBundle } from "@pulumi-static-export/sdk";
import { createService, migrateDatabase } from "@pulumi-static-export/service";
import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AgentJobStore } from "../../../service/src/agents/agent-job-store.js";
import { openSqliteDatabase } from "../../../service/src/database/sqlite-database.js";
import { createTarGz } from "../../sdk/support/archives.js";
import { bucket as name, useS3Server } from "../../provider/bundle-mirror/s3-server.js";
import { usePostgres } from "../support/postgres.js";
import { adminApiKey, domain, type RunningService, withFolder, withServiceOver } from "../support/running-service.js";
import { copyingExporter, ScriptedExporter } from "../support/scripted-exporter.js";
import { withWorker } from "../support/running-worker.js";

const content = "# Welcome\n\nHello.\n";

describe("A service and a worker that share a bucket but have separate data folders", () => {
    const postgres = usePostgres();
    const s3 = useS3Server();

    interface Running extends RunningService {
        folder: string;
        jobId: string;
        /** Returns the job's link, including the host. */
        link: () => Promise<string>;
        log: string[];
    }

    /** Runs the service, the worker and one job, and calls `use` when the job is completed. */
    async function withCompletedJob(
        use: (running: Running) => Promise<void>,
        {
            publicEndpoint,
            exporter = copyingExporter,
        }: { publicEndpoint?: string; exporter?: typeof copyingExporter } = {},
    ): Promise<void> {
        const database = await postgres().createDatabase();
        await migrateDatabase(database);
        const bucket = { url: `s3://${name}/docs`, endpoint: s3().endpoint, ...(publicEndpoint && { publicEndpoint }) };
        const log: string[] = [];
        const logger = { info: (line: string) => void log.push(line), error: (line: string) => void log.push(line) };
        await withFolder(async (folder) => {
            const worker = { bucket, exporter, logger, dataDir: join(folder, "worker-data") };
            await withWorker(folder, database, worker, () =>
                withServiceOver(folder, { database, bucket, logger }, async (running) => {
                    const jobId = await running.start();
                    await running.reaches(jobId, "completed");
                    const link = async () => running.service.url + (await running.link(jobId));
                    await use({ ...running, folder, jobId, link, log });
                }),
            );
        });
    }

    const ask = (link: string, init: RequestInit = {}) => fetch(link, { redirect: "manual", ...init });

    it("deliver bundles without a key by redirecting to a five-minute storage link", async () => {
        await withCompletedJob(async ({ link, jobId, log }) => {
            const answer = await ask(await link());
            const location = new URL(answer.headers.get("location") ?? "");
            assert.deepEqual(
                [answer.status, answer.headers.get("cache-control"), location.origin],
                [302, "no-store", s3().endpoint],
            );
            assert.equal(location.searchParams.get("X-Amz-Expires"), "300");
            const download = await fetch(location);
            assert.deepEqual([download.status, await download.text()], [200, content]);
            assert.equal(
                download.headers.get("content-disposition"),
                `attachment; filename="${domain}-${jobId}.tar.gz"`,
            );
            assert.doesNotMatch(log.join("\n"), /signature/i);
        });
    });

    it("deliver bundles to the SDK, which follows the redirect", async () => {
        const packed = await createTarGz([{ name: "index.html", content: "<h1>Welcome</h1>" }]);
        const exporter = new ScriptedExporter();
        const completes = exporter.nth(1).then((run) => run.complete(packed));
        await withCompletedJob(
            async ({ link, folder }) => {
                const { sizeBytes, fileCount } = await downloadBundle(await link(), join(folder, "unpacked"));
                assert.deepEqual([sizeBytes, fileCount], [packed.length, 1]);
            },
            { exporter },
        );
        await completes;
    });

    it("sign links for the endpoint that clients use", async () => {
        await withCompletedJob(
            async ({ link }) => {
                const { headers } = await ask(await link());
                assert.match(
                    headers.get("location") ?? "",
                    /^https:\/\/storage\.example\.com\/docs-bundles\/docs\/bundles\//,
                );
            },
            { publicEndpoint: "https://storage.example.com/" },
        );
    });

    it("answer HEAD and conditional requests without calling the storage", async () => {
        await withCompletedJob(async ({ link }) => {
            const head = await ask(await link(), { method: "HEAD" });
            assert.deepEqual([head.status, head.headers.get("content-length")], [200, String(content.length)]);
            const known = await ask(await link(), { headers: { "if-none-match": head.headers.get("etag") ?? "" } });
            assert.equal(known.status, 304);
        });
    });

    it("answer 404 for a bundle that was removed from the bucket, and export a damaged bundle again", async () => {
        await withCompletedJob(async ({ link, request, reaches, jobId }) => {
            const address = await link();
            const [Key = ""] = await s3().keys();
            await s3().client.send(new PutObjectCommand({ Bucket: name, Key, Body: "half" }));
            assert.equal((await ask(address)).status, 409);
            assert.equal((await request("POST", `/v1/static-export/jobs/${jobId}/bundle`)).status, 409);
            await reaches(jobId, "completed");
            assert.equal(await (await fetch(address)).text(), content);
            await s3().client.send(new DeleteObjectCommand({ Bucket: name, Key }));
            assert.equal((await ask(address)).status, 404);
        });
    });

    it("answer 503 with Retry-After while the storage is down", async () => {
        await withCompletedJob(async ({ link, log }) => {
            const address = await link();
            await s3().kill();
            try {
                const answer = await ask(address);
                assert.deepEqual([answer.status, answer.headers.get("retry-after")], [503, "5"]);
                const error = "The service's storage cannot be reached at the moment: try again.";
                assert.deepEqual(await answer.json(), { error });
                assert.match(log.join("\n"), /Bucket s3:\/\/docs-bundles: HeadObject failed \(ECONNREFUSED/);
            } finally {
                await s3().resume();
            }
        });
    });

    it("continue with the links of a data folder whose bundles were copied into the bucket", async () => {
        const database = await postgres().createDatabase();
        const bucket = { url: `s3://${name}/moved`, endpoint: s3().endpoint };
        await withFolder(async (folder) => {
            let link = "";
            await withServiceOver(folder, { exporter: copyingExporter }, async (running) => {
                const jobId = await running.start();
                await running.reaches(jobId, "completed");
                link = await running.link(jobId);
            });
            await migrateDatabase(database, join(folder, "data"), bucket);
            await rm(join(folder, "data"), { recursive: true });
            await withServiceOver(folder, { database, bucket }, async ({ request }) => {
                assert.equal((await request("GET", link, { key: null })).text, content);
            });
        });
    });

    it("continue with the logs of agents that were in the data folder", async () => {
        const database = await postgres().createDatabase();
        const bucket = { url: `s3://${name}/logs`, endpoint: s3().endpoint };
        await withFolder(async (folder) => {
            const data = join(folder, "data");
            await mkdir(join(data, "agent", "logs"), { recursive: true });
            await mkdir(join(data, "bundles"));
            const source = openSqliteDatabase(data);
            const jobs = new AgentJobStore(source, Date.now);
            const { id } = await jobs.create("docs", { repository: "https://git.example.com/acme/docs" }, "One.");
            await source.close();
            await writeFile(join(data, "agent", "logs", `${id}.log`), "The agent begins.\n");
            await migrateDatabase(database, data, bucket);
            await rm(data, { recursive: true });
            await withServiceOver(folder, { database, bucket }, async ({ request }) => {
                const { body, status } = await request("GET", `/v2/agent/docs/job/${id}/log`);
                assert.deepEqual([status, body["text"]], [200, "The agent begins.\n"]);
            });
        });
    });

    it("wait for the storage at startup", async () => {
        const database = await postgres().createDatabase();
        await migrateDatabase(database);
        await withFolder(async (folder) => {
            await s3().kill();
            let onInfo: (line: string) => void = () => undefined;
            const said = new Promise<string>((resolve) => (onInfo = resolve));
            const bucket = { url: `s3://${name}`, endpoint: s3().endpoint };
            const logger = { info: (line: string) => onInfo(line), error: () => undefined };
            const served = withServiceOver(folder, { database, bucket, logger }, () => Promise.resolve());
            assert.match(await said, /^Waiting for the storage: Bucket s3:\/\/docs-bundles: HeadBucket failed/);
            await s3().resume();
            await served;
        });
    });

    it("are refused without a shared database, or with an address that is not a bucket address", async () => {
        await withFolder((folder) => {
            const options = { dataDir: join(folder, "data"), sites: { [domain]: join(folder, "site") }, adminApiKey };
            assert.throws(() => createService({ ...options, bucket: { url: "s3://docs" } }), {
                name: "ServiceOptionsError",
                message: /^A bucket needs a PostgreSQL database/,
            });
            const database = "postgres://localhost/none";
            for (const url of ["docs", "s3://", "s3://docs docs", "s3://docs/../x", "https://docs"]) {
                assert.throws(() => createService({ ...options, database, bucket: { url } }), {
                    name: "ServiceOptionsError",
                    message: /must be written as s3:\/\/name/,
                });
            }
            return Promise.resolve();
        });
    });

    it("are refused if links would redirect clients from https to http, which clients do not follow", async () => {
        await withFolder((folder) => {
            const options = {
                dataDir: join(folder, "data"),
                sites: { [domain]: join(folder, "site") },
                adminApiKey,
                database: "postgres://localhost/none",
                publicUrl: "https://docs-admin.example.net",
            };
            const bucket = { url: "s3://docs", endpoint: "http://s3.internal:9000" };
            assert.throws(() => createService({ ...options, bucket }), {
                name: "ServiceOptionsError",
                message: /^Clients do not follow a link from an https service to storage over http/,
            });
            const reached = { ...bucket, publicEndpoint: "https://s3.example.com" };
            return createService({ ...options, bucket: reached }).close();
        });
    });
});
