import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const main = fileURLToPath(new URL("../../../dev/bench/figures/main.ts", import.meta.url));

describe("npm run bench figures, for the sizes in the guide,", function () {
    this.timeout(60_000);

    it("measures exports of several sizes and a running service", async function () {
        if (process.platform !== "linux") {
            this.skip();
        }
        const options = ["--pages", "3,300", "--requests", "40"];
        const { stdout } = await promisify(execFile)(process.execPath, ["--import=tsx", main, ...options]);
        assert.match(stdout, /^\d{4}-\d\d-\d\d, commit [0-9a-f]{10}: \d+ × .+, Node\.js v\d+\.\d+\.\d+, load [\d.]+\n/);
        const rows = [...stdout.matchAll(/^\| (.+?) \| (.*) \| (.*) \|$/gm)].map(([, what]) =>
            what?.replace(/\d+ %/, "n %"),
        );
        const ofExport = (pages: number) => [
            `export of ${pages} pages`,
            "the same, nothing changed, n %",
            "the same, one page changed, n %",
        ];
        const onTwoCores = "the same, all pages, on two cores";
        assert.deepEqual(rows.slice(2, 9), [...ofExport(3), ...ofExport(300), onTwoCores]);
        assert.match(stdout, /^\| a status request \([1-9]\d* clients of one core\) \| [\d.]+ ms \| \|$/m);
        assert.match(stdout, /^\| service, after 40 status requests \| \| [1-9]\d+ MB \|$/m);
    });
});
