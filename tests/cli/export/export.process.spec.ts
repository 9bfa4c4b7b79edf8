import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { itInLong } from "../../scale.js";
import { json, type Reply, withServer } from "../../sdk/support/http-server.js";
import { adminApiKey, domain, Platform } from "../../e2e/support/platform.js";
import { Command, type Outcome, withFolder } from "../support/command.js";

interface Run {
    folder: string;
    platform: Platform;
    command: (...args: string[]) => Command;
    run: (...args: string[]) => Promise<Outcome>;
}

/** Starts the real service, and provides the command and a folder to write to. */
async function withPlatform(
    options: Parameters<typeof Platform.start>[0],
    use: (run: Run) => Promise<void>,
): Promise<void> {
    await withFolder(async (folder) => {
        const platform = await Platform.start(options);
        const env = { STATIC_EXPORT_BASE_URL: platform.service.url, STATIC_EXPORT_ADMIN_API_KEY: adminApiKey };
        const command = (...args: string[]) => new Command(args, { cwd: folder, env });
        try {
            await use({
                folder,
                platform,
                command,
                run: async (...args) => {
                    const outcome = await command(...args).exited;
                    assert.ok(!(outcome.stdout + outcome.stderr).includes(adminApiKey), "the key was printed");
                    assert.doesNotMatch(outcome.stdout + outcome.stderr, /signature=/i);
                    return outcome;
                },
            });
        } finally {
            await platform.stop();
        }
    });
}

const exportSite = ["export", "--domain", domain, "--output", "site"];

describe("static-export", function () {
    // The service starts a process for each export.
    this.timeout(60_000);

    it("export starts a job, waits for it, and unpacks its pages into the folder", async () => {
        await withPlatform({}, async ({ folder, platform, run }) => {
            const { exitCode, stdout, stderr } = await run(...exportSite, "--version", "2026-11-01", "--json");
            assert.equal(exitCode, 0, stderr);
            const printed = JSON.parse(stdout) as Record<string, unknown>;
            assert.equal(printed["status"], "completed");
            assert.equal(printed["folder"], "site");
            assert.match(String(printed["sha256"]), /^[0-9a-f]{64}$/);
            assert.match(await readFile(join(folder, "site", "start.html"), "utf8"), /The second page/);
            assert.match(stderr, new RegExp(`^${String(printed["jobId"])}: started$`, "m"));
            assert.equal(platform.count("start"), 1);
        });
    });

    it("export resumes a job instead of starting a second job", async () => {
        await withPlatform({}, async ({ folder, platform, run }) => {
            const first = await run(...exportSite, "--json");
            const { jobId, sha256 } = JSON.parse(first.stdout) as { jobId: string; sha256: string };
            const again = await run("export", "--job", jobId, "--output", "again", "--sha256", sha256);
            assert.equal(again.exitCode, 0, again.stderr);
            assert.match(again.stdout, /^status +completed$/m);
            assert.deepEqual(await readdir(join(folder, "again")), await readdir(join(folder, "site")));
            assert.equal(platform.count("start"), 1);
        });
    });

    itInLong(
        "export exits with 1 and reports the reason when the job fails, without advice to resume the job",
        async () => {
            await withPlatform({ faults: ["export:fail=out of quota"] }, async ({ run }) => {
                const { exitCode, stdout, stderr } = await run(...exportSite, "--json");
                assert.equal(exitCode, 1);
                assert.equal((JSON.parse(stdout) as { error: string }).error, "out of quota");
                assert.match(stderr, /^error: Export job se_\w+ of docs\.example\.com failed: out of quota/m);
                assert.doesNotMatch(stderr, /Resume with/);
            });
        },
    );

    itInLong("export exits with 3 when it times out, and prints a command that resumes the job", async () => {
        await withPlatform({ faults: ["export:delay=8s"] }, async ({ folder, platform, run }) => {
            const { exitCode, stderr } = await run(...exportSite, "--timeout-seconds", "1");
            assert.equal(exitCode, 3);
            const [, line = ""] = /^Resume with: static-export (.+)$/m.exec(stderr) ?? [];
            assert.match(line, /^export --job se_\w+ --output site$/);
            const again = await run(...line.split(" "));
            assert.equal(again.exitCode, 0, again.stderr);
            assert.ok(existsSync(join(folder, "site", "index.html")));
            assert.equal(platform.count("start"), 1);
        });
    });

    for (const [signal, code] of [
        ["SIGINT", 130],
        ["SIGTERM", 143],
    ] as const) {
        itInLong(`export on ${signal} explains how to resume, and leaves the folder unchanged`, async () => {
            await withPlatform({ faults: ["export:delay=1m"] }, async ({ folder, command, platform }) => {
                const running = command(...exportSite);
                await running.prints(/: (running|queued)/, "stderr");
                running.signal(signal);
                const { exitCode, stderr } = await running.exited;
                assert.equal(exitCode, code);
                assert.match(stderr, /^error: Interrupted\.\nResume with: .* --job se_\w+ --output site$/m);
                assert.deepEqual(await readdir(folder), ["docs"]);
                assert.equal(platform.count("start"), 1);
            });
        });
    }

    itInLong("export waits for the id of the job before it exits on Ctrl-C", async () => {
        await withFolder(async (folder) => {
            let running: Command | undefined;
            const answerLate: Reply = (response, request) => {
                running?.signal("SIGINT");
                void running?.prints(/Waiting for the job's id/, "stderr").then(() => {
                    json(202, { jobId: "se_42" })(response, request);
                });
            };
            await withServer([answerLate], async ({ baseUrl, requests }) => {
                const env = { STATIC_EXPORT_BASE_URL: baseUrl, STATIC_EXPORT_ADMIN_API_KEY: adminApiKey };
                running = new Command(exportSite, { cwd: folder, env });
                const { exitCode, stderr } = await running.exited;
                assert.equal(exitCode, 130);
                assert.match(stderr, /se_42: started\nerror: Interrupted\.\nResume with: .* --job se_42 --output site/);
                assert.equal(requests.length, 1);
            });
        });
    });

    itInLong("fetch unpacks the bundle of a completed job, and job shows it", async () => {
        await withPlatform({}, async ({ folder, run }) => {
            const { jobId } = JSON.parse((await run(...exportSite, "--json")).stdout) as { jobId: string };
            const fetched = await run("fetch", jobId, "--output", "fetched", "--json");
            assert.equal(fetched.exitCode, 0, fetched.stderr);
            assert.equal((JSON.parse(fetched.stdout) as { fileCount: number }).fileCount > 2, true);
            assert.ok(existsSync(join(folder, "fetched", "index.html")));
            const shown = await run("job", jobId);
            assert.equal(shown.exitCode, 0);
            assert.match(shown.stdout, new RegExp(`^job +${jobId}\nstatus +completed$`, "m"));
        });
    });

    itInLong("history lists the exports of a domain, newest first, as a table and as JSON", async () => {
        await withPlatform({}, async ({ run }) => {
            const exportOf = async (version: string) => {
                const line = `export --domain ${domain} --output ${version} --version ${version} --json`;
                const { stdout } = await run(...line.split(" "));
                return JSON.parse(stdout) as { jobId: string; sha256: string };
            };
            const [first, second] = [await exportOf("1"), await exportOf("2")];
            const { exitCode, stdout } = await run("history", domain);
            assert.equal(exitCode, 0);
            const rows = stdout
                .trimEnd()
                .split("\n")
                .map((line) => line.split(/ {2,}/));
            assert.deepEqual(
                rows.map(([job, status, , version, , digest]) => [job, status, version, digest]),
                [
                    ["JOB", "STATUS", "VERSION", "SHA-256"],
                    [second.jobId, "completed", "2", second.sha256.slice(0, 12)],
                    [first.jobId, "completed", "1", first.sha256.slice(0, 12)],
                ],
            );
            const [newest] = JSON.parse((await run("history", domain, "--limit", "1", "--json")).stdout) as object[];
            const { jobId, sha256 } = second;
            const expected = { jobId, status: "completed", progress: 100, pageCount: 2, version: "2", sha256, domain };
            assert.deepEqual({ ...newest, ...expected }, newest);
        });
    });

    itInLong("cancel ends a job, and the command that waits for the job reports who cancelled it", async () => {
        await withPlatform({ faults: ["export:delay=60s"] }, async ({ command, run }) => {
            const waiting = command(...exportSite);
            const [jobId = ""] = await waiting.prints(/se_[0-9a-f]+(?=: started)/, "stderr");
            const cancelled = await run("cancel", jobId);
            assert.equal(cancelled.exitCode, 0, cancelled.stderr);
            assert.match(cancelled.stdout, new RegExp(`^job +${jobId}$`, "m"));
            const { exitCode, stderr } = await waiting.exited;
            assert.equal(exitCode, 1, stderr);
            assert.match(stderr, /failed: Cancelled by a client with the key of the service\./);
            const again = await run("cancel", jobId);
            assert.equal(again.exitCode, 0, again.stderr);
            assert.equal(again.stderr, `Export job ${jobId} was already cancelled: nothing has changed.\n`);
        });
    });

    it("cancel and export --job say of an unknown job what to check, and nothing about another command", async () => {
        await withPlatform({}, async ({ run }) => {
            const cancelled = await run("cancel", "se_0");
            assert.equal(cancelled.exitCode, 5);
            assert.match(cancelled.stderr, /Check the job id .*: only the self-hosted service cancels exports\./);
            const resumed = await run("export", "--job", "se_0", "--output", "out");
            assert.equal(resumed.exitCode, 5);
            assert.match(resumed.stderr, /If the job is gone, start a new one\./);
            assert.doesNotMatch(resumed.stderr, /Resume with/);
        });
    });

    itInLong("history reports that a domain has no exports yet", async () => {
        await withPlatform({}, async ({ run }) => {
            const { exitCode, stdout } = await run("history", domain);
            assert.deepEqual([exitCode, stdout], [0, `There is no export of ${domain}.\n`]);
        });
    });

    itInLong("export and job list the warnings of the site, each with its file and line", async () => {
        await withPlatform({}, async ({ platform, run }) => {
            await writeFile(join(platform.site, "broken.md"), "# Broken\n\n[Nowhere](/no-such-page)\n");
            const { exitCode, stdout, stderr } = await run(...exportSite);
            assert.equal(exitCode, 0, stderr);
            assert.match(stdout, /^warnings +1$/m);
            assert.match(stdout, /^warning: link: broken\.md:3: .*no-such-page/m);
            const [, jobId = ""] = /^job +(.+)$/m.exec(stdout) ?? [];
            assert.match((await run("job", jobId)).stdout, /^warning: link: broken\.md:3: /m);
            const { warnings } = JSON.parse((await run("job", jobId, "--json")).stdout) as { warnings: object };
            assert.deepEqual(Object.keys(warnings), ["count", "first"]);
        });
    });

    itInLong("fetch exits with 1 for a failed job, and with 3 for an unfinished job", async () => {
        await withPlatform({ faults: ["export:fail=out of quota"] }, async ({ run }) => {
            const { jobId } = JSON.parse((await run(...exportSite, "--json")).stdout) as { jobId: string };
            const { exitCode, stderr } = await run("fetch", jobId, "--output", "fetched");
            assert.deepEqual([exitCode, /failed: out of quota\. Start a new export/.test(stderr)], [1, true]);
        });
        await withPlatform({ faults: ["export:delay=1m"] }, async ({ run }) => {
            const { stderr } = await run(...exportSite, "--timeout-seconds", "1");
            const [jobId = ""] = /se_\w+/.exec(stderr) ?? [];
            const fetched = await run("fetch", jobId, "--output", "fetched");
            assert.equal(fetched.exitCode, 3);
            assert.match(fetched.stderr, /is (queued|running)\. Wait for the job/);
        });
    });

    itInLong("exits with 5 when a request fails", async () => {
        await withPlatform({}, async ({ run }) => {
            const { exitCode, stderr } = await run("job", "se_none");
            assert.equal(exitCode, 5);
            assert.match(stderr, /^error: Export job se_none: the server answered 404 Not Found/);
        });
    });

    describe("exits with 2 and starts no job", () => {
        for (const [what, args, message] of [
            ["without a domain and a job", ["export", "--output", "site"], /^error: Pass --domain .* or --job/],
            ["without a folder", ["export", "--domain", domain], /required option '-o, --output <folder>'/],
            ["for a folder in use", [...exportSite.slice(0, -1), "docs"], /^error: The folder docs is not empty/],
            ["for a file", [...exportSite.slice(0, -1), "docs/index.md"], /^error: docs\/index\.md is a file/],
            ["for a digest that is none", [...exportSite, "--sha256", "abc"], /^error: --sha256 must be 64 hex/],
            ["for a version of a job", ["export", "--job", "a", "--version", "b", "-o", "c"], /^error: --version and/],
        ] as const) {
            itInLong(what, async () => {
                await withPlatform({}, async ({ platform, run }) => {
                    const { exitCode, stderr } = await run(...args);
                    assert.equal(exitCode, 2);
                    assert.match(stderr, message);
                    assert.equal(platform.requests.length, 0);
                });
            });
        }
    });
});
