import assert from "node:assert/strict";
import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { bucket } from "../../provider/bundle-mirror/s3-server.js";
import { startPassingProxy } from "../../sdk/support/passing-proxy.js";
import { kinds, secrets, SiteStack } from "./support/site-stack.js";

const jobs = {
    se_1: { "index.html": "home", "a.html": "a", "b.html": "b" },
    se_2: { "index.html": "new home", "a.html": "new a", "b.html": "new b" },
};
const errorBody = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`;

const headerOrName = /does not accept a header or a name/;

type Row = readonly [
    what: string,
    refusal: { readonly code: string; readonly status: number; readonly path?: string },
    advice: RegExp,
];

// tests/sdk/publish/storage-failures.spec.ts tests more refusals; this spec runs some of them on the engine.
for (const kind of kinds) {
    describe(`BucketSite ${kind}, with storage in an unexpected state, on the real engine`, () => {
        let site: SiteStack;
        before(async () => {
            site = await SiteStack.create(kind, jobs);
        });
        after(() => site.remove());

        const pages = async () => [await site.page("index.html"), await site.page("a.html"), await site.page("b.html")];

        const rows: readonly Row[] = [
            ["a bucket that does not exist", { code: "NoSuchBucket", status: 404 }, /Create the bucket first/],
            ["another region", { code: "PermanentRedirect", status: 301 }, /Set the region of the bucket/],
            ["a wrong clock", { code: "RequestTimeTooSkewed", status: 403 }, /Set the clock of this machine/],
            ["a bucket of somebody else", { code: "AccessDenied", status: 403 }, /Allow these credentials s3:/],
            ["a rejected header", { code: "InvalidArgument", status: 400, path: "/a.html" }, headerOrName],
            ["a rejected name", { code: "InvalidObjectName", status: 400, path: "/a.html" }, headerOrName],
        ];
        for (const [what, { code, status, path = "" }, advice] of rows) {
            it(`suggests what to do about ${what}, and prints no key`, async () => {
                const proxy = await startPassingProxy(site.s3.endpoint, (address) =>
                    address.includes(path) ? { status, body: errorBody(code) } : undefined,
                );
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
            // The failed run could not write its record either, so this run waits until the failed run's lease expires.
            await site.up({});
            assert.deepEqual(await pages(), ["home", "a", "b"]);
        });

        it("does not change the site of another owner, and names both owners", async () => {
            assert.match(
                await site.fail({ jobId: "se_2", owner: "another/stack/docs" }),
                /belongs to ".+docs", but this run publishes for "another\/stack\/docs"/,
            );
            assert.deepEqual(await pages(), ["home", "a", "b"]);
        });

        for (const [change, jobId, damage] of [
            ["edited", "se_2", (Key: string) => new PutObjectCommand({ Bucket: bucket, Key, Body: "edited" })],
            ["deleted", "se_1", (Key: string) => new DeleteObjectCommand({ Bucket: bucket, Key })],
        ] as const) {
            it(`reports that the list of files was ${change}, and uploads all files again`, async () => {
                for (const Key of (await site.s3.keys()).filter((key) => key.includes("/inventories/"))) {
                    await site.s3.client.send(damage(Key));
                }
                const { output } = await site.up({ jobId });
                assert.match(output, /the list of its files is missing or was edited/);
                assert.equal(await site.stack.output("uploadedFiles"), 3);
                assert.deepEqual(await pages(), Object.values(jobs[jobId]));
            });
        }

        it("publishes to storage without conditional writes, and warns once about the consequences", async () => {
            const proxy = await startPassingProxy(site.s3.endpoint, (_path, headers) =>
                headers.some((name) => /^if-(none-)?match$/i.test(name))
                    ? { status: 501, body: errorBody("NotImplemented") }
                    : undefined,
            );
            const place = { prefix: "without-conditions/", endpoint: proxy.endpoint };
            const first = await site.up(place);
            const second = await site.up({ ...place, jobId: "se_2" });
            proxy.close();
            assert.match(first.output, /does not support conditional writes.*Do not run two pipelines/);
            assert.ok(!second.output.includes("conditional writes"));
            assert.equal(String(await site.s3.read("without-conditions/a.html")), "new a");
        });
    });
}
