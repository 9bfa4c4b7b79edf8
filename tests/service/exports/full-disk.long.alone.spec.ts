import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createService, migrateDatabase } from "@pulumi-static-export/service";
import { waitUntil } from "../../wait-until.js";
import { PostgresServer, usePostgres } from "../support/postgres.js";
import { Probe } from "../support/probe.js";
import { adminApiKey, domain, withFolder, withServiceOver } from "../support/running-service.js";
import { withWorker } from "../support/running-worker.js";
import { copyingExporter, ScriptedExporter } from "../support/scripted-exporter.js";

const mebibyte = 1024 * 1024;

/** Mounts a file system that is small enough to fill up. Needs root. */
async function withSmallDisk(folder: string, use: () => Promise<void>, size = "6m"): Promise<void> {
    await mkdir(folder);
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]);
    try {
        await use();
    } finally {
        execFileSync("umount", ["--lazy", folder]);
    }
}

function skipWithoutMounts(this: Mocha.Context): void {
    if (process.platform !== "linux" || process.getuid?.() !== 0) {
        console.log("      skipped: a small disk needs Linux and root.");
        this.skip();
    }
}

/** Fills the remaining space. */
async function fill(folder: string): Promise<string> {
    const file = join(folder, "filler");
    await assert.rejects(writeFile(file, Buffer.alloc(400 * mebibyte, 1)), { code: "ENOSPC" });
    return file;
}

/** A logger that keeps only errors. */
function collectErrors() {
    const errors: string[] = [];
    return { errors, logger: { info: () => undefined, error: (line: string) => void errors.push(line) } };
}

describe("A service whose data folder is on a full disk", function () {
    this.timeout(60_000);

    before(skipWithoutMounts);

    it("fails the job that does not fit, keeps answering requests, and runs the next job once there is space", async () => {
        await withFolder(async (folder) => {
            await withSmallDisk(join(folder, "data"), async () => {
                const large = join(folder, "site", "film.mp4");
                await writeFile(large, randomBytes(16 * mebibyte));
                await writeFile(join(folder, "site", "index.md"), "# Welcome\n\n[film](film.mp4)\n");
                await withServiceOver(folder, {}, async ({ start, reaches, request }) => {
                    const failed = await start();
                    const { error } = await reaches(failed, "failed");
                    assert.match(String(error), /disk|space/i);
                    assert.doesNotMatch(String(error), new RegExp(folder), "a path of the host was shown");

                    await rm(large);
                    await writeFile(join(folder, "site", "index.md"), "# Welcome\n");
                    const next = await start();
                    await reaches(next, "completed");
                    assert.equal((await request("POST", `/v1/static-export/jobs/${next}/bundle`)).status, 200);
                    assert.equal((await request("GET", `/v1/static-export/jobs/${failed}`)).body["status"], "failed");
                });
            });
        });
    });

    it("answers starts with 503, the reason and a time, and its log has no stack trace", async () => {
        await withFolder(async (folder) => {
            await withSmallDisk(join(folder, "data"), async () => {
                const { errors, logger } = collectErrors();
                const limits = { maxQueuedJobs: 5000, maxQueuedJobsPerDomain: 5000 };
                const exporter = new ScriptedExporter();
                await withServiceOver(folder, { ...limits, logger, exporter }, async ({ request, start }) => {
                    const running = await start();
                    await exporter.nth(1);
                    const filler = await fill(join(folder, "data"));
                    const body = { json: { domain, version: "v".repeat(100) } };
                    let answer = await request("POST", "/v1/static-export/jobs", body);
                    for (let index = 0; index < 2000 && answer.status === 202; index += 1) {
                        answer = await request("POST", "/v1/static-export/jobs", body);
                    }
                    const said = "The service's database cannot be used at the moment (the disk is full): try again.";
                    assert.deepEqual(
                        [answer.status, answer.headers.get("retry-after"), answer.body],
                        [503, "5", { error: said }],
                    );
                    const cancelled = await request("DELETE", `/v1/static-export/jobs/${running}`);
                    assert.ok([200, 202, 503].includes(cancelled.status), cancelled.text);
                    const read = await request("GET", `/v1/static-export/jobs/${running}`);
                    assert.equal(read.status, 200, read.text);
                    assert.doesNotMatch(errors.join("\n"), /\n\s+at |failed unexpectedly|SQLITE|database or disk/);
                    await rm(filler);
                    assert.equal((await request("POST", "/v1/static-export/jobs", body)).status, 202);
                });
            });
        });
    });
});

describe("A clustered service", function () {
    this.timeout(240_000);

    before(skipWithoutMounts);
    const server = usePostgres();

    const faults: Record<string, (data: string) => Promise<() => Promise<void>>> = {
        full: async (data) => {
            const filler = await fill(data);
            return () => rm(filler);
        },
        "read-only": (data) => {
            execFileSync("mount", ["-o", "remount,ro", data]);
            const repair = () => Promise.resolve(void execFileSync("mount", ["-o", "remount,rw", data]));
            return Promise.resolve(repair);
        },
    };
    for (const [what, cause] of Object.entries(faults)) {
        it(`leaves its jobs to other workers while a worker's disk is ${what}, and reports the problem`, async () => {
            const database = await server().createDatabase();
            await migrateDatabase(database);
            const probe = await Probe.create();
            const broken = new ScriptedExporter();
            await withFolder((folder) =>
                withServiceOver(folder, { database }, async ({ start, reaches, link, request }) => {
                    const data = join(folder, "worker");
                    await withSmallDisk(data, () => {
                        const { errors, logger } = collectErrors();
                        const options = { dataDir: data, exporter: broken, health: probe.health, logger };
                        return withWorker(folder, database, options, async () => {
                            const repair = await cause(data);
                            // The disk may have filled up just after the worker checked it for its next claim.
                            await waitUntil("the worker starts no jobs", () =>
                                errors.some((line) => line.startsWith("No export job could be started")),
                            );
                            const jobId = await start();
                            const { status, text } = await probe.ask("/readyz");
                            assert.equal(status, 503);
                            assert.match(text, /^disk: .*worker/m);
                            await withWorker(folder, database, { exporter: copyingExporter }, async () => {
                                await reaches(jobId, "completed");
                            });
                            assert.equal(broken.begun.length, 0);
                            assert.equal((await request("GET", await link(jobId), { key: null })).status, 200);

                            await repair();
                            await start({ version: "2" });
                            await broken.nth(1);
                            assert.equal((await probe.ask("/readyz")).status, 200);
                        });
                    });
                }),
            );
        });
    }

    it("answers 503 while its database's disk is full, and recovers once there is space", async () => {
        await withFolder(async (folder) => {
            const disk = join(folder, "disk");
            await withSmallDisk(
                disk,
                async () => {
                    await chmod(folder, 0o711);
                    const full = await PostgresServer.start("127.0.0.1", disk);
                    try {
                        const database = await full.createDatabase();
                        await migrateDatabase(database);
                        await withServiceOver(
                            folder,
                            { database, maxQueuedJobs: 5000, maxQueuedJobsPerDomain: 5000 },
                            async ({ request, start }) => {
                                await start();
                                const filler = await fill(disk);
                                const site = { json: { domain, version: "v".repeat(100) } };
                                let answer = await request("POST", "/v1/static-export/jobs", site);
                                for (let index = 0; index < 2000 && answer.status === 202; index += 1) {
                                    answer = await request("POST", "/v1/static-export/jobs", site);
                                }
                                assert.deepEqual(
                                    [answer.status, answer.headers.get("retry-after")],
                                    [503, "5"],
                                    answer.text,
                                );
                                await rm(filler);
                                assert.equal((await request("POST", "/v1/static-export/jobs", site)).status, 202);
                            },
                        );
                    } finally {
                        await full.stop();
                    }
                },
                "250m",
            );
        });
    });
});

describe("A damaged database", () => {
    it("is refused at startup, and the error names the remedy", async () => {
        await withFolder(async (folder) => {
            await mkdir(join(folder, "data"));
            await writeFile(join(folder, "data", "service.sqlite"), "no database ".repeat(1000));
            const service = () =>
                createService({
                    dataDir: join(folder, "data"),
                    sites: { [domain]: join(folder, "site") },
                    adminApiKey,
                });
            assert.throws(
                service,
                /service\.sqlite .* is damaged \(its structure cannot be read\): restore a backup, or/,
            );
        });
    });
});
