import assert from "node:assert/strict";
import { DeleteBucketCommand } from "@aws-sdk/client-s3";
import { startPassingProxy } from "../../sdk/support/passing-proxy.js";
import { BucketSiteFixture } from "../bucket-site/bucket-site-fixture.js";
import { MirrorFixture } from "./mirror-fixture.js";
import { archiveOf } from "./platform-server.js";
import { bucket, setCredentials } from "./s3-server.js";

describe("A gateway in front of a storage that answers 404", function () {
    this.timeout(120_000);
    let fixture: MirrorFixture;
    let restore: () => void;
    beforeEach(async () => {
        restore = setCredentials();
        fixture = await MirrorFixture.start();
    });
    afterEach(async () => {
        await fixture.stop();
        restore();
    });

    for (const body of ["default backend - 404", "", '{"message":"no Route matched"}']) {
        it(`removes neither a mirror nor a site from the state: ${JSON.stringify(body)}`, async () => {
            let isDown = false;
            const gateway = await startPassingProxy(fixture.s3.endpoint, () =>
                isDown ? { status: 404, body } : undefined,
            );
            const site = await BucketSiteFixture.start();
            try {
                fixture.platform.serve(archiveOf(1000));
                const mirror = await fixture.create({ endpoint: gateway.endpoint });
                site.serve("se_1", { "index.html": "home" });
                const published = await site.create({
                    jobId: "se_1",
                    bucket,
                    prefix: "docs/",
                    endpoint: gateway.endpoint,
                });
                isDown = true;
                await assert.rejects(fixture.lifecycle.read("id", mirror), /HTTP 404/);
                await assert.rejects(site.lifecycle().read("id", published), /HTTP 404/);
            } finally {
                site.stop();
                gateway.close();
            }
        });
    }
});

describe("A bucket that is gone", function () {
    this.timeout(120_000);
    let fixture: MirrorFixture;
    beforeEach(async () => {
        fixture = await MirrorFixture.start();
        fixture.platform.serve(archiveOf(1000));
    });
    afterEach(() => fixture.stop());

    const removeBucket = async () => {
        await fixture.s3.clear();
        await fixture.s3.client.send(new DeleteBucketCommand({ Bucket: bucket }));
    };

    it("takes its mirror along: destroy succeeds, and a refresh forgets it", async () => {
        const mirror = await fixture.create({ deleteOnRemoval: true });
        await removeBucket();
        assert.deepEqual(await fixture.lifecycle.read("id", mirror), { id: "" });
        await fixture.lifecycle.delete("id", mirror);
    });

    it("takes its site along: a refresh forgets it", async () => {
        const site = await BucketSiteFixture.start();
        try {
            site.serve("se_1", { "index.html": "home" });
            const inputs = { jobId: "se_1", bucket, prefix: "docs/", endpoint: fixture.s3.endpoint };
            const published = await site.create(inputs);
            await removeBucket();
            assert.deepEqual(await site.lifecycle().read("id", published), { id: "" });
        } finally {
            site.stop();
        }
    });
});
