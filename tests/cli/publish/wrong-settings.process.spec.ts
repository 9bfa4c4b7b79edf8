import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "../support/command.js";

describe("static-export publish with wrong settings of a storage", () => {
    let folder: string;
    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-spec-"));
        await writeFile(join(folder, "index.html"), "<h1>Home</h1>");
    });
    after(() => rm(folder, { recursive: true }));

    const publish = (endpoint: string, env: Record<string, string> = {}) =>
        new Command(["publish", folder, "--to", "s3://docs/x", "--bucket-endpoint", endpoint], { cwd: folder, env })
            .exited;

    const wrongSettings = {
        "a SOCKS proxy": [
            { ALL_PROXY: "socks5://127.0.0.1:9" },
            "http://storage.example.com",
            /ALL_PROXY must name a proxy/,
        ],
        "a password in the endpoint": [
            {},
            "https://me:5ecret@storage.example.com",
            /may contain only a scheme, a host/,
        ],
        "a signature in the endpoint": [{}, "https://storage.example.com?X-Amz-Signature=5ecret", /Keys belong in/],
    } as const;
    for (const [what, [env, endpoint, message]] of Object.entries(wrongSettings)) {
        it(`refuses ${what} in one line`, async () => {
            const { exitCode, stderr } = await publish(endpoint, env);
            assert.equal(exitCode, 2);
            assert.match(stderr, /^error: .*\n$/);
            assert.match(stderr, message);
            assert.doesNotMatch(stderr, /5ecret/);
        });
    }

    for (const [option, value, message] of [
        ["--cache-control", "a\nb: c", /Use a value of Cache-Control, such as "max-age=300"\./],
        ["--owner", 'a"b', /Use a name without quotes, such as "acme\/production\/docs"\./],
        ["--purge-cloudfront", "arn:1", /Use the id of a distribution, such as "E2QWRUHAPOMQZL"\./],
        ["--keep", "101", /Use a whole number from 0 to 100\./],
    ] as const) {
        it(`refuses a value of ${option} that BucketSite refuses`, async () => {
            const place = ["--to", "file://served", option, value];
            const { exitCode, stderr } = await new Command(["publish", folder, ...place], { cwd: folder }).exited;
            assert.equal(exitCode, 2);
            assert.match(stderr, message);
        });
    }

    it("ends at once if the access key has a line break, and says so", async () => {
        const env = { AWS_ACCESS_KEY_ID: "AKIAEXAMPLE\n", AWS_SECRET_ACCESS_KEY: "secret", AWS_REGION: "r" };
        const { exitCode, stderr } = await publish("http://127.0.0.1:9", env);
        assert.equal(exitCode, 1);
        assert.match(stderr, /Remove line breaks and control characters from the keys/);
    });
});
