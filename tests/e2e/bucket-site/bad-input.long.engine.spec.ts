import assert from "node:assert/strict";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { bucket } from "../../provider/bundle-mirror/s3-server.js";
import { startPassingProxy } from "../../sdk/support/passing-proxy.js";
import { kinds, secrets, SiteStack } from "./support/site-stack.js";

const jobs = {
    se_1: { "index.html": "home", "a.html": "a", "b.html": "b" },
    se_2: { "index.html": "new home", "a.html": "new a", "b.html": "new b" },
};
const errorBody = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`;

// tests/sdk/publish/storage-failures.spec.ts tests more refusals; this spec runs some of them on the engine.
for (const kind of kinds) {
    describe(`BucketSite ${kind}, with storage in an unexpected state, on the real engine`, () => {
        let site: SiteStack;
        before(async () => {
            site = await SiteStack.create(kind, jobs);
        });
        after(() => site.remove());

        const pages = async () => [await site.page("index.html"), await site.page("a.html"), await site.page("b.html")];

        for (const [what, refusal, advice] of [
            ["a bucket that does not exist", { code: "NoSuchBucket", status: 404 }, /Create the bucket first/],
            ["a bucket in another region", { code: "PermanentRedirect", status: 301 }, /Set the region of the bucket/],
            ["a wrong clock", { code: "RequestTimeTooSkewed", status: 403 }, /Set the clock of this machine/],
        ] as const) {
            it(`suggests what to do about ${what}, and prints no key`, async () => {
                const { status, code } = refusal;
                const proxy = await startPassingProxy(site.s3.endpoint, () => ({ status, body: errorBody(code) }));
                const output = await site.fail({ endpoint: proxy.endpoint });
                proxy.close();
                assert.match(output, advice);
                assert.ok(!output.includes(secrets["static-export:mirrorSecretAccessKey"]));
            });
        }

        it("resumes after credentials expire during an upload", async () => {
            let hasExpired = false;
            const proxy = await startPassingProxy(site.s3.endpoint, (path) => {
                hasExpired ||= path.includes("/index.html");
                return hasExpired ? { status: 400, body: errorBody("ExpiredToken") } : undefined;
            });
            assert.match(await site.fail({ endpoint: proxy.endpoint }), /credentials have expired/);
            proxy.close();
            // The record could not be written either, so this run waits until the earlier run's lease expires.
            await site.up({});
            assert.deepEqual(await pages(), ["home", "a", "b"]);
        });

        it("does not change the site of another owner, and names both owners", async () => {
            assert.match(
                await site.fail({ jobId: "se_2", owner: "another/stack/docs" }),
                /belongs to ".+docs", and this is "another\/stack\/docs"/,
            );
            assert.deepEqual(await pages(), ["home", "a", "b"]);
        });

        it("reports that the list of files was edited, and uploads all files again", async () => {
            for (const Key of (await site.s3.keys()).filter((key) => key.includes("/inventories/"))) {
                await site.s3.client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: "edited" }));
            }
            const { output } = await site.up({ jobId: "se_2" });
            assert.match(output, /the list of its files is missing or was edited/);
            assert.equal(await site.stack.output("uploadedFiles"), 3);
            assert.deepEqual(await pages(), ["new home", "new a", "new b"]);
        });
    });
}
