import assert from "node:assert/strict";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { Command, run, withFolder } from "../support/command.js";
import { withDev } from "./support/running-dev.js";

interface Answer {
    readonly status: number | undefined;
    readonly text: string;
}

/** Sends a request with these headers; `fetch` would set Host and Origin itself. */
function ask(url: string, headers: Record<string, string>, body?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
        const asked = request(url, { headers, method: body === undefined ? "GET" : "POST" }, (response) => {
            let text = "";
            response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
            response.on("end", () => resolve({ status: response.statusCode, text }));
        });
        asked.on("error", reject).end(body);
    });
}

describe("static-export dev", function () {
    this.timeout(60_000);

    it("answers only requests with its own host name", async () => {
        await withFolder(async (folder) => {
            await withDev(folder, {}, async ({ url }) => {
                const { host, port } = new URL(url);
                assert.equal((await ask(url, { Host: host })).status, 200);
                assert.equal((await ask(url, { Host: `localhost:${port}` })).status, 200);
                for (const other of ["rebound.example.com", `rebound.example.com:${port}`, `127.0.0.1:1`]) {
                    const { status, text } = await ask(url, { Host: other });
                    assert.equal(status, 403, other);
                    assert.doesNotMatch(text, /Welcome/);
                }
            });
        });
    });

    it("opens no file in the editor for pages of other sites, and no file outside the site", async () => {
        await withFolder(async (folder) => {
            await withDev(folder, { VISUAL: "", EDITOR: "", TERM_PROGRAM: "" }, async ({ url }) => {
                const open = (headers: Record<string, string>, file = "index.md") =>
                    ask(`${url}/static-export/live/open`, headers, JSON.stringify({ file, line: 1 }));
                const json = { "Content-Type": "application/json" };
                const own = { ...json, Origin: url };
                assert.deepEqual(await open({ ...own, Origin: "https://evil.example.com" }).then(statusOf), 403);
                assert.deepEqual(await open({ ...own, Origin: "null" }).then(statusOf), 403);
                assert.deepEqual(await open(json).then(statusOf), 403);
                assert.deepEqual(await open({ Origin: url, "Content-Type": "text/plain" }).then(statusOf), 403);
                assert.deepEqual(await open(own, "../package.json").then(statusOf), 404);
                const { status, text } = await open(own);
                assert.equal(status, 422);
                assert.match(text, /No editor is set\. Set VISUAL to /);
            });
        });
    });

    it("reads only pages of the site", async () => {
        await withFolder(async (folder) => {
            await writeFile(join(folder, "secret.txt"), "SECRET");
            await writeFile(join(folder, "docs/.env"), "SECRET");
            await withDev(folder, {}, async ({ url }) => {
                for (const path of ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/.env", "/%00"]) {
                    const { status, text } = await ask(`${url}${path}`, {});
                    assert.ok(status === 404 || status === 400, `${path}: ${status}`);
                    assert.doesNotMatch(text, /SECRET/);
                }
            });
        });
    });

    it("detects new folders and their pages", async () => {
        await withFolder(async (folder) => {
            await withDev(folder, {}, async ({ url, command }) => {
                await mkdir(join(folder, "docs/guides/deep"), { recursive: true });
                await writeFile(join(folder, "docs/guides/deep/new.md"), "# New\n");
                await command.prints(/site read again, 2 pages/);
                assert.equal((await ask(`${url}/guides/deep/new.html`, {})).status, 200);
                await rm(join(folder, "docs/guides"), { recursive: true });
                await command.prints(/site read again, 1 page,/);
            });
        });
    });

    it("stops on Ctrl-C, and leaves no files behind", async () => {
        await withFolder(async (folder) => {
            const temporary = join(folder, "temporary");
            await mkdir(temporary);
            await withDev(folder, { TMPDIR: temporary }, async ({ command }) => {
                command.signal("SIGINT");
                assert.equal((await command.exited).exitCode, 130);
                assert.deepEqual(await readdir(temporary), []);
            });
        });
    });

    it("takes the next free port if its usual one is in use and the author has named none", async () => {
        await withFolder(async (folder) => {
            const first = new Command(["dev", "docs"], { cwd: folder });
            const second = new Command(["dev", "docs"], { cwd: folder });
            try {
                const ports = await Promise.all(
                    [first, second].map(async (each) => Number((await each.prints(/127\.0\.0\.1:(\d+)\/ /))[1])),
                );
                assert.notEqual(ports[0], ports[1]);
                assert.ok(
                    ports.every((port) => port >= 4400 && port < 4420),
                    String(ports),
                );
            } finally {
                [first, second].forEach((each) => each.signal("SIGTERM"));
                await Promise.all([first.exited, second.exited]);
            }
        });
    });

    it("rejects a folder that does not exist and a port that is in use", async () => {
        await withFolder(async (folder) => {
            const missing = await run(folder, ["dev", "nowhere"]);
            assert.equal(missing.exitCode, 2);
            assert.match(missing.stderr, /^error: There is no folder .*nowhere\.$/m);
            await withDev(folder, {}, async ({ url }) => {
                const { exitCode, stderr } = await run(folder, ["dev", "docs", "--port", new URL(url).port]);
                assert.equal(exitCode, 2);
                assert.match(stderr, /^error: Port \d+ is taken by another program: choose another one with --port/m);
            });
        });
    });
});

function statusOf({ status }: Answer): number | undefined {
    return status;
}
