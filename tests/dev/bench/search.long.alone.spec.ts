import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../../dev/bench/search/main.ts", import.meta.url));

/** `npm run bench search` measures 20,000 pages and 100 queries. */
describe("the benchmark of searching an exported site", function () {
    this.timeout(120_000);

    before(function () {
        if (process.platform !== "linux" || !existsSync("/usr/bin/chromium")) {
            this.skip();
        }
    });

    it("measures searches in a browser and on the server, and the data that a first search loads", async () => {
        const counts = ["--pages", "200", "--queries", "8", "--first", "1", "--answers", "100"];
        const args = ["--import=tsx", main, ...counts];
        // The exit code is ignored: it depends on timings, which mean nothing while other specs run.
        const stdout = await new Promise<string>((resolve) => {
            execFile(process.execPath, args, (_, printed) => resolve(printed));
        });

        assert.match(stdout, /^[4-8] of 8 queries found something$/m);
        assert.match(stdout, /^\| answer, ms \| [\d.]+ \| [\d.]+ \| [\d.]+ \|$/m);
        const loaded = Number(/^\| loaded by a first search, kB \| ([\d.]+) \|/m.exec(stdout)?.[1]);
        assert.ok(loaded > 10 && loaded < 100, String(loaded));
        assert.match(stdout, /^\| without a pause \|(?: [\d.]+ \|){6}$/m);
        assert.match(stdout, /^\| one query a second each \|(?: [\d.]+ \|){6}$/m);
    });
});
