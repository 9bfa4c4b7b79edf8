import { createService, migrateDatabase } from "@pulumi-static-export/service";
import assert from "node:assert/strict";
import { join } from "node:path";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { waitUntil } from "../../wait-until.js";
import { usePostgres } from "../support/postgres.js";
import { adminApiKey, domain, withFolder, withServiceOver } from "../support/running-service.js";
import { withWorker } from "../support/running-worker.js";
import { copyingExporter, ScriptedExporter } from "../support/scripted-exporter.js";

describe("Services and workers that share a PostgreSQL database", () => {
    const server = usePostgres();
    const withDatabase = async (use: (folder: string, database: string) => Promise<void>): Promise<void> => {
        const database = await server().createDatabase();
        await migrateDatabase(database);
        await withFolder((folder) => use(folder, database));
    };

    it("run an export that one service queued, and deliver its bundle through another service", async () => {
        await withDatabase(async (folder, database) => {
            await withWorker(folder, database, { exporter: copyingExporter }, () =>
                withServiceOver(folder, { database }, async (first) => {
                    const jobId = await first.start();
                    await first.reaches(jobId, "completed");
                    const link = await first.link(jobId);
                    await withServiceOver(folder, { database }, async (second) => {
                        const { status, text } = await second.request("GET", link, { key: null });
                        assert.deepEqual([status, text], [200, "# Welcome\n\nHello.\n"]);
                    });
                }),
            );
        });
    });

    it("start only one job if two services receive the same key at the same time", async () => {
        await withDatabase(async (folder, database) => {
            await withServiceOver(folder, { database }, (first) =>
                withServiceOver(folder, { database }, async (second) => {
                    const start = { json: { domain }, headers: { "idempotency-key": "k1" } };
                    const answers = await Promise.all(
                        [first, second, first, second].map(({ request }) =>
                            request("POST", "/v1/static-export/jobs", start),
                        ),
                    );
                    assert.deepEqual(new Set(answers.map(({ body }) => body["jobId"])).size, 1);
                }),
            );
        });
    });

    it("respect the limit of queued jobs per domain if two services receive starts simultaneously", async () => {
        await withDatabase(async (folder, database) => {
            const limited = { database, maxQueuedJobsPerDomain: 5 };
            await withServiceOver(folder, limited, (first) =>
                withServiceOver(folder, limited, async (second) => {
                    const answers = await Promise.all(
                        Array.from({ length: 10 }, (_, index) =>
                            [first, second].map(({ request }, service) =>
                                request("POST", "/v1/static-export/jobs", {
                                    json: { domain },
                                    headers: index % 2 === 0 ? {} : { "idempotency-key": `${service}-${index}` },
                                }),
                            ),
                        ).flat(),
                    );
                    assert.equal(answers.filter(({ status }) => status === 202).length, 5);
                    assert.equal(answers.filter(({ status }) => status === 429).length, 15);
                }),
            );
        });
    });

    it("respect the limit of a project's prompts per hour if two services receive prompts simultaneously", async () => {
        await withDatabase(async (folder, database) => {
            const projects = { docs: { repository: "https://github.com/acme/docs" } };
            const limited = { database, projects, agentStartsPerHour: 5 };
            await withServiceOver(folder, limited, (first) =>
                withServiceOver(folder, limited, async (second) => {
                    const answers = await Promise.all(
                        Array.from({ length: 10 }, () =>
                            [first, second].map(({ request }) =>
                                request("POST", "/v2/agent/docs/job", { json: { prompt: "Fix typos." } }),
                            ),
                        ).flat(),
                    );
                    assert.equal(answers.filter(({ status }) => status === 201).length, 5);
                }),
            );
        });
    });

    it("stop a run whose job was given to another worker, and discard its results", async () => {
        await withDatabase(async (folder, database) => {
            const exporter = new ScriptedExporter();
            await withServiceOver(folder, { database }, async ({ start, request }) => {
                const jobId = await start();
                await withWorker(folder, database, { exporter, tickMs: 100 }, async () => {
                    const lost = await exporter.nth(1);
                    const aborted = new Promise((resolve) => lost.control.signal.addEventListener("abort", resolve));
                    const sql = new PostgresDatabase(database);
                    // Simulates the claim of another worker, which assumes that the first worker is dead.
                    await sql.run("UPDATE static_export_jobs SET attempt = attempt + 1");
                    await sql.close();
                    await aborted;
                    assert.match(String(lost.control.signal.reason), /was given to another worker/);
                });
                const { body } = await request("GET", `/v1/static-export/jobs/${jobId}`);
                assert.equal(body["status"], "running");
            });
        });
    });

    it("answer 503 with Retry-After while the database is down, and continue when it is back", async () => {
        await withDatabase(async (folder, database) => {
            await withServiceOver(folder, { database }, async ({ start, request }) => {
                const jobId = await start();
                await server().kill();
                const { status, headers, body } = await request("GET", `/v1/static-export/jobs/${jobId}`);
                assert.deepEqual([status, headers.get("retry-after")], [503, "5"]);
                assert.deepEqual(body, { error: "The service's database cannot be reached at the moment: try again." });
                await server().resume();
                assert.equal((await request("GET", `/v1/static-export/jobs/${jobId}`)).status, 200);
            });
        });
    });

    it("continue with the jobs, keys and links of a data folder that was copied into the database", async () => {
        const database = await server().createDatabase();
        await withFolder(async (folder) => {
            const keyed = { json: { domain }, headers: { "idempotency-key": "k1" } };
            const jobs = "/v1/static-export/jobs";
            let jobId = "";
            let link = "";
            let update = "";
            await withServiceOver(folder, { exporter: copyingExporter }, async ({ request, reaches, link: linkOf }) => {
                jobId = String((await request("POST", jobs, keyed)).body["jobId"]);
                await reaches(jobId, "completed");
                link = await linkOf(jobId);
                const started = await request("POST", `/v1/project/update/${domain}`);
                update = `/v1/project/update-status/${String(started.body["statusId"])}`;
                await waitUntil(
                    "it has ended",
                    async () => (await request("GET", update)).body["status"] === "success",
                );
            });
            assert.equal((await migrateDatabase(database, join(folder, "data"))).copiedJobs, 2);
            await withServiceOver(folder, { database }, async ({ request }) => {
                assert.equal((await request("POST", jobs, keyed)).body["jobId"], jobId);
                assert.equal((await request("GET", link, { key: null })).text, "# Welcome\n\nHello.\n");
                assert.equal((await request("GET", update)).body["status"], "success");
            });
            await assert.rejects(
                migrateDatabase(database, join(folder, "data")),
                /already has rows in static_export_jobs/,
            );
        });
    });

    it("refuse options for agents, because services with a shared database do not run agents", async () => {
        await withFolder((folder) => {
            const sites = { [domain]: join(folder, "site") };
            const database = "postgres://localhost/none";
            const agent = { command: [process.execPath] };
            assert.throws(() => createService({ dataDir: join(folder, "data"), sites, adminApiKey, database, agent }), {
                name: "ServiceOptionsError",
                message: /^Agents do not run in a service that shares its database/,
            });
            return Promise.resolve();
        });
    });

    it("refuse an address that is not a PostgreSQL address, without showing it", async () => {
        await assert.rejects(migrateDatabase("mysql://user:secret@host/name"), (error: Error) => {
            assert.match(error.message, /must begin with postgres:\/\//);
            assert.doesNotMatch(error.message, /secret/);
            return true;
        });
    });
});
