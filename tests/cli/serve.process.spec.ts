import assert from "node:assert/strict";
import { chmod, mkdir, stat, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { isLong, itInLong } from "../scale.js";
import { slowExports } from "../support/slow-exports.js";
import { Command, run, type Serving, withFolder, withServe } from "./support/command.js";
import { call, completes, generatedKey, jobs, start } from "./support/jobs.js";

const hourMs = 3_600_000;

describe("static-export serve", function () {
    // Starting threads and processes takes seconds while other specs run.
    this.timeout(60_000);

    it("serves a folder, runs a job at the printed address, and serves the job's bundle", async () => {
        await withFolder(async (folder) => {
            await withServe(folder, [], async ({ url }) => {
                assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
                const key = await generatedKey(folder);
                const jobId = await start({ url }, key);
                await completes(url, key, jobId);
                const { bundleUrl } = await call(url, key, "POST", `${jobs}/${String(jobId)}/bundle`);
                assert.equal((await fetch(String(bundleUrl))).status, 200);
            });
        });
    });

    it("creates a key that only the owner can read, and prints its path but never the key", async () => {
        await withFolder(async (folder) => {
            await withServe(folder, [], async ({ url, command }) => {
                const path = join(folder, ".static-export", "admin-api-key");
                assert.match(command.stdout, new RegExp(`admin key in .*${path}$`, "m"));
                assert.equal((await stat(path)).mode & 0o777, 0o600);
                const key = await generatedKey(folder);
                await call(url, key, "GET", `${jobs}/se_42`);
                await call(url, `${key}x`, "GET", `${jobs}/se_42`);
                await command.prints(/GET \/v1\/static-export\/jobs\/se_42 401/);
                assert.doesNotMatch(command.stdout + command.stderr, new RegExp(key));
            });
        });
    });

    itInLong("logs requests and jobs, and omits the signature of downloads", async () => {
        await withFolder(async (folder) => {
            await withServe(folder, [], async ({ url, command }) => {
                const key = await generatedKey(folder);
                const jobId = await start({ url }, key);
                await completes(url, key, jobId);
                const { bundleUrl } = await call(url, key, "POST", `${jobs}/${String(jobId)}/bundle`);
                await (await fetch(String(bundleUrl))).arrayBuffer();
                await command.prints(/GET \/bundles\/se_[0-9a-f]+\.tar\.gz 200 \d+ ms/);
                assert.match(command.stdout, /POST \/v1\/static-export\/jobs 202 \d+ ms/);
                assert.match(command.stdout, /Export job se_[0-9a-f]+ of docs\.example\.com completed: 1 page\./);
                assert.doesNotMatch(command.stdout + command.stderr, /signature/);
            });
        });
    });

    itInLong("answers requests while nobody reads its log, and loses no log lines", async () => {
        await withFolder(async (folder) => {
            await withServe(folder, [], async ({ url, command }) => {
                command.pauseReading();
                // The log becomes larger than the buffers of pipes and sockets.
                for (let round = 0; round < 25; round++) {
                    const asked = Array.from({ length: 40 }, () => fetch(`${url}/${"x".repeat(400)}`));
                    assert.ok((await Promise.all(asked)).every(({ status }) => status === 404));
                }
                command.resumeReading();
                command.signal("SIGTERM");
                const { stdout } = await command.exited;
                assert.equal(stdout.match(/GET \/x+\S* 404/g)?.length, 1000);
            });
        });
    });

    itInLong("logs each line as JSON with the ids of job and request, if configured", async () => {
        await withFolder(async (folder) => {
            const args = ["serve", "--site", "docs.example.com=docs", "--port", "0", "--log-format", "json"];
            const command = new Command(args, { cwd: folder });
            try {
                const [, url = ""] = await command.prints(/"address":"(http[^"]+)"/);
                const jobId = await start({ url }, await generatedKey(folder));
                await command.prints(/completed: 1 page/);
                command.signal("SIGTERM");
                const { stdout } = await command.exited;
                const lines = stdout
                    .trim()
                    .split("\n")
                    .map((line) => JSON.parse(line) as Record<string, unknown>);
                const of = (operation: string) => lines.find((line) => line["operation"] === operation);
                const started = lines.find((line) => line["key"] === "of the service");
                assert.deepEqual([started?.["job"], started?.["level"]], [jobId, "info"]);
                assert.equal(started?.["request"], of("start")?.["request"]);
                assert.deepEqual([of("start")?.["status"], of("start")?.["method"]], [202, "POST"]);
                assert.match(String(started?.["time"]), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
            } finally {
                command.signal("SIGKILL");
                await command.exited;
            }
        });
    });

    itInLong("reads the key from a file that only the owner can access", async () => {
        await withFolder(async (folder) => {
            await writeFile(join(folder, "key"), "admin_mine_of_24_letters\n", { mode: 0o600 });
            await withServe(folder, ["--admin-key-file", "key"], async ({ url }) => {
                assert.equal((await call(url, "admin_mine_of_24_letters", "GET", `${jobs}/se_42`))["status"], 404);
                assert.equal((await call(url, "admin_other_of_24_letters", "GET", `${jobs}/se_42`))["status"], 401);
            });
        });
    });

    itInLong("resumes the running job after being killed", async () => {
        await withFolder(async (folder) => {
            let jobId: unknown;
            const interrupted = async ({ url, command }: Serving) => {
                jobId = await start({ url }, await generatedKey(folder));
                await command.prints(/started\./);
                command.signal("SIGKILL");
                await command.exited;
            };
            await withServe(folder, [], interrupted, slowExports(hourMs));
            await withServe(folder, [], async ({ url }) => completes(url, await generatedKey(folder), jobId));
        });
    });
});

describe("static-export serve, when it is stopped,", function () {
    // Starting threads and processes takes seconds while other specs run.
    this.timeout(60_000);

    for (const [signal, expected] of [
        ["SIGTERM", 0],
        ["SIGINT", 130],
    ] as const) {
        itInLong(`exits with ${expected} on ${signal} while a job runs, and leaves nothing behind`, async () => {
            await withFolder(async (folder) => {
                const stopped = async ({ url, command }: Serving) => {
                    await start({ url }, await generatedKey(folder));
                    await command.prints(/started\./);
                    command.signal(signal);
                    const { exitCode, stderr } = await command.exited;
                    assert.deepEqual([exitCode, stderr], [expected, ""]);
                };
                await withServe(folder, [], stopped, slowExports(hourMs));
            });
        });
    }

    it("exits with 0 on SIGTERM while it still waits for its database", async () => {
        await withFolder(async (folder) => {
            const site = ["--site", "docs.example.com=docs", "--port", "0"];
            const args = ["serve", ...site, "--database", "postgres://127.0.0.1:1/jobs", "--data-dir", "data"];
            const command = new Command(args, { cwd: folder });
            await command.prints(/Waiting for the database/);
            command.signal("SIGTERM");
            const { exitCode, stderr } = await command.exited;
            assert.deepEqual([exitCode, stderr], [0, ""]);
        });
    });

    itInLong("exits immediately on the second Ctrl-C, even while a request is being answered", async () => {
        await withFolder(async (folder) => {
            await withServe(folder, [], async ({ url, command }) => {
                const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => undefined);
                const key = await generatedKey(folder);
                const head = `POST ${jobs} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
                socket.write(
                    `${head}Content-Type: application/json\r\nContent-Length: 99\r\nExpect: 100-continue\r\n\r\n{`,
                );
                // The service starts to process the request before it requests the rest of the body.
                await new Promise((resolve) => socket.once("data", resolve));
                command.signal("SIGINT");
                await command.prints(/Stopping; Ctrl-C again stops at once\./);
                command.signal("SIGINT");
                const { exitCode, stdout } = await command.exited;
                assert.equal(exitCode, 130);
                assert.match(stdout, /Stopped at once\./);
                socket.destroy();
            });
        });
    });
});

describe("static-export serve refuses", function () {
    // Starting threads and processes takes seconds while other specs run.
    this.timeout(60_000);

    const site = ["serve", "--site", "docs.example.com=docs", "--port", "0"];
    const refused: [string, string[], RegExp][] = [
        ["no site", ["serve"], /required option '--site <domain=folder>' not specified, nor --sites-file <file>/],
        ["a site without a folder", ["serve", "--site", "docs"], /Write it as docs\.example\.com=\.\/docs\./],
        [
            "a domain with two folders",
            [...site, "--site", "docs.example.com=other"],
            /argument 'docs\.example\.com=other' is invalid\. docs\.example\.com is given twice\./,
        ],
        [
            "a project with two repositories",
            [...site, "--agent-project", "p=https://example.com/a", "--agent-project", "p=https://example.com/b#main"],
            /argument 'p=https:\/\/example\.com\/b#main' is invalid\. p is given twice\./,
        ],
        [
            "a folder that is missing",
            ["serve", "--site", "a.example.com=nowhere"],
            /Site a\.example\.com: there is no folder .*nowhere\./,
        ],
        [
            "a port that is none",
            [...site, "--port", "70000"],
            /'--port <number>' argument '70000' is invalid\. Use .* 0 to 65535\./,
        ],
        ["a link that lives no time", [...site, "--link-ttl-seconds", "0"], /whole number from 1 to/],
        [
            "a host that is not here",
            [...site, "--host", "192.0.2.1"],
            /This machine has no address 192\.0\.2\.1 to listen on/,
        ],
        ["every address without a public one", [...site, "--host", "0.0.0.0"], /needs a public address/],
        [
            "a project without a repository",
            [...site, "--agent-project", "docs"],
            /Write it as docs=https:\/\/github\.com\/acme\/docs#main\./,
        ],
        [
            "a key file that is missing",
            [...site, "--admin-key-file", "nokey"],
            /The admin key file .*nokey does not exist\. Create one with \(umask 077;/,
        ],
        ["an empty key file", [...site, "--admin-key-file", "empty"], /The admin key file .*empty is empty/],
        [
            "a missing file with the webhooks' secret",
            [...site, "--webhook-secret-file", "nosecret"],
            /The webhook secret file .*nosecret does not exist\. Create one with \(umask 077;/,
        ],
        [
            "previews of a folder",
            [...site, "--preview-domain", "docs.example.com=previews.example.com"],
            /site docs\.example\.com is a folder and has no branches/,
        ],
        ["a key file open to everybody", [...site, "--admin-key-file", "open"], /run chmod 600 .*open\./],
        ["an unknown option", [...site, "--prot", "1"], /unknown option '--prot'[^]*Did you mean --port\?/],
    ];
    for (const [what, args, message] of isLong ? refused : refused.slice(0, 1)) {
        it(what, async () => {
            await withFolder(async (folder) => {
                await writeFile(join(folder, "empty"), "\n", { mode: 0o600 });
                await writeFile(join(folder, "open"), "admin_secret\n");
                await chmod(join(folder, "open"), 0o644);
                const { exitCode, stdout, stderr } = await run(folder, args);
                assert.equal(exitCode, 2, stdout);
                assert.match(stderr, message);
                assert.match(stderr, /^error: /);
                assert.doesNotMatch(stderr, /admin_secret|^ {4}at /m);
            });
        });
    }

    itInLong("a misspelled --site, and suggests the correct option", async () => {
        await withFolder(async (folder) => {
            const { stderr } = await run(folder, ["serve", "--sites", "docs.example.com=docs"]);
            assert.match(stderr, /unknown option '--sites'\n\(Did you mean --site\?\)/);
        });
    });

    itInLong("a port or a data folder that is in use", async () => {
        await withFolder(async (folder) => {
            await mkdir(join(folder, "other"));
            await withServe(folder, [], async ({ url }) => {
                const sameFolder = await run(folder, site);
                assert.equal(sameFolder.exitCode, 2);
                assert.match(sameFolder.stderr, /^error: Data folder .* is in use by another service[^\n]*\n$/);
                const { port } = new URL(url);
                const samePort = await run(folder, [...site, "--port", port, "--data-dir", "other"]);
                assert.equal(samePort.exitCode, 2);
                assert.match(
                    samePort.stderr,
                    new RegExp(`^error: Port ${port} of 127\\.0\\.0\\.1 is in use: stop the program`),
                );
            });
        });
    });
});

describe("static-export", function () {
    // Starting threads and processes takes seconds while other specs run.
    this.timeout(60_000);

    itInLong("serve --help shows every option with its default, and examples", async () => {
        await withFolder(async (folder) => {
            const { exitCode, stdout } = await run(folder, ["serve", "--help"]);
            assert.equal(exitCode, 0);
            for (const option of [
                /--site <domain=folder> /,
                /--port <number> [^]*\(default: 8787\)/,
                /--host <address> [^]*"127\.0\.0\.1"\)/,
                /--data-dir <folder> [^]*\(default: "\.static-export"\)/,
                /--admin-key-file <file> [^]*\(default:\s+admin-api-key in the data folder/,
                /--link-ttl-seconds <seconds> [^]*\(default: 3600\)/,
                /\$ static-export serve --site docs\.example\.com=\.\/docs\n/,
            ]) {
                assert.match(stdout, option);
            }
        });
    });

    itInLong("--help does not load the service, unlike serve", async () => {
        await withFolder(async (folder) => {
            const env = { NODE_DEBUG: "module" };
            const help = await run(folder, ["--help"], env);
            assert.match(help.stdout, /Usage: static-export/);
            assert.doesNotMatch(help.stderr, /node_modules.fastify/);
            const { stderr } = await run(folder, ["serve", "--site", "a.example.com=nowhere"], env);
            assert.match(stderr, /node_modules.fastify/);
        });
    });

    it("--version prints the version", async () => {
        await withFolder(async (folder) => {
            assert.match((await run(folder, ["--version"])).stdout, /^\d+\.\d+\.\d+\n$/);
        });
    });
});
