import assert from "node:assert/strict";
import { AdminClient } from "@pulumi-static-export/sdk";
import { linkOfJob } from "../../../provider/src/jobs/link-of-job.js";
import { FakeClock } from "../../fake-clock.js";
import { FakePlatform } from "../support/fake-platform.js";

const { signal } = new AbortController();

describe("The link of a job for a resource that runs no jobs", () => {
    let platform: FakePlatform;
    let client: AdminClient;
    beforeEach(async () => {
        const clock = new FakeClock();
        platform = new FakePlatform(clock);
        const { fetch } = platform;
        client = new AdminClient({ baseUrl: "https://api.example.com", adminApiKey: "test_0123456789", fetch, clock });
        platform.jobMs = 0;
        await client.staticExports.start({ domain: "docs.example.com" });
    });

    it("is that of the job's bundle", async () => {
        assert.match((await linkOfJob(client, { jobId: "se_1" }, signal)).bundleUrl, /se_1\.tar\.gz/);
    });

    for (const [what, lose, says] of [
        ["failed", () => Object.assign(platform.jobs.get("se_1")!, { outcome: { failed: "cancelled" } }), "cancelled"],
        ["is gone", () => platform.jobs.clear(), "404 Not Found"],
    ] as const) {
        it(`is an error with the next step if the job ${what}`, async () => {
            lose();
            await assert.rejects(linkOfJob(client, { jobId: "se_1" }, signal), ({ message }: Error) => {
                assert.match(message, /run `pulumi up --refresh`, which exports again\.$/);
                assert.ok(message.includes(says), message);
                return true;
            });
        });
    }

    it("is an error that suggests another pin if the pinned job is gone, which no export brings back", async () => {
        const served = { jobId: "se_1", pin: "se_0" };
        await assert.rejects(linkOfJob(client, served, signal), ({ message }: Error) => {
            assert.match(message, /404 Not Found.* Pin a job that still exists, or remove pin\.$/);
            assert.doesNotMatch(message, /--refresh/);
            return true;
        });
    });

    it("is the platform's error without that step otherwise", async () => {
        platform.faults.bundle = [{ status: 401, error: "no" }];
        await assert.rejects(
            linkOfJob(client, { jobId: "se_1" }, signal),
            ({ message }: Error) => !/--refresh/.test(message),
        );
    });
});
