import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { run } from "../support/command.js";

/** This checkout has the AWS SDK. */
const project = fileURLToPath(new URL("../../..", import.meta.url));

describe("The bucket check of static-export doctor", () => {
    for (const [what, settings, message] of [
        ["a SOCKS proxy", { ALL_PROXY: "socks5://127.0.0.1:1" }, /cannot be listed: ALL_PROXY must name a proxy/],
        ["a key with a line break", { AWS_ACCESS_KEY_ID: "a\n" }, /cannot be listed: ERR_INVALID_CHAR/],
    ] as const) {
        it(`reports that a bucket cannot be reached with ${what}`, async () => {
            const env = { PATH: tmpdir(), AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", ...settings };
            const place = ["--bucket", "docs", "--endpoint", "http://storage.example.com"];
            const { exitCode, stdout } = await run(project, ["doctor", ...place, "--json"], env);
            const findings = JSON.parse(stdout) as { check: string; found: string }[];
            assert.equal(exitCode, 1);
            assert.match(findings.find(({ check }) => check === "bucket")?.found ?? "", message);
        });
    }
});
