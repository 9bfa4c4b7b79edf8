import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { text, withServer } from "../sdk/support/http-server.js";
import { chartFolder } from "./support/render-chart.js";

describe("documentation-site: helm test", () => {
    it("finds that the pods refuse a file that is not a bundle, and a bundle with a wrong digest", async () => {
        await withServer([text(200, '{"status":"ok"}')], async ({ baseUrl, requests }) => {
            const limits = { ATTEMPTS: "3", RETRY_DELAY_SECONDS: "1", ATTEMPT_TIMEOUT_SECONDS: "60" };
            const sizes = { MAX_BUNDLE_MIB: "1", MAX_SITE_MIB: "1", MAX_FILES: "10" };
            const PATH = `${dirname(process.execPath)}:${process.env["PATH"]}`;
            const { stdout } = await promisify(execFile)("/bin/sh", [join(chartFolder, "files/test-refusal.sh")], {
                env: { PATH, SITE_URL: baseUrl, ...limits, ...sizes },
            });
            assert.match(stdout, /Both bundles were refused and left no files behind\.\n$/);
            assert.equal(requests.length, 1);
        });
    });
});
