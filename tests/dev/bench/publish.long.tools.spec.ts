import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../../dev/bench/publish/main.ts", import.meta.url));

/** `npm run bench publish` measures up to 200,000 files, and also the AWS CLI. */
describe("Publishing a site to a bucket", function () {
    this.timeout(120_000);

    before(function () {
        if (process.platform !== "linux") {
            this.skip();
        }
    });

    it("needs few requests for one changed page, and memory only for the files being transferred", async () => {
        const args = ["--import=tsx", main, "--files", "", "--large", "300", "--resources", "0"];
        // The exit code is ignored: it depends on timings, which mean nothing while other specs run.
        const stdout = await new Promise<string>((resolve) => {
            execFile(process.execPath, args, (_, printed) => resolve(printed));
        });
        const changed = /^\| 300 \| static-export publish: one page changed \|.* (\d+) MB \| (\d+) \|$/m.exec(stdout);
        const [megabytes, requests] = (changed ?? []).slice(1).map(Number);
        assert.ok(requests! >= 3 && requests! <= 20, stdout);
        assert.ok(megabytes! > 0 && megabytes! < 200, stdout);
    });
});
