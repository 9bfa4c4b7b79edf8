import assert from "node:assert/strict";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { BundleCheckLifecycle } from "../../../provider/src/bundle-check/lifecycle.js";
import type { BundleCheckInputs, MirroredCopy } from "../../../provider/src/bundle-check/model.js";
import { EngineWatch } from "../../../provider/src/engine/engine-watch.js";
import { Storage } from "../../../provider/src/bundle-mirror/storage/storage.js";
import { archive, sha256, site } from "../../charts/support/archives.js";
import { MirrorFixture } from "../bundle-mirror/mirror-fixture.js";
import { bucket, credentials } from "../bundle-mirror/s3-server.js";

/** A platform that packs the export again for each link, as its contract allows. */
describe("BundleCheck of a mirror's copy", function () {
    this.timeout(60_000);
    let fixture: MirrorFixture;
    let lifecycle: BundleCheckLifecycle;
    let place: Omit<MirroredCopy, "sha256">;

    before(async () => {
        fixture = await MirrorFixture.start();
        place = { bucket, endpoint: fixture.s3.endpoint };
        lifecycle = new BundleCheckLifecycle({
            connect: () => {
                throw new Error("the platform was asked");
            },
            openStorage: (inputs) => Storage.open(inputs, credentials),
            engine: new EngineWatch(undefined),
            signal: new AbortController().signal,
            clock: { now: Date.now },
        });
    });
    after(() => fixture.stop());

    /** Mirrors a bundle, and returns the inputs of its check. */
    async function mirrored(jobId: string, content: Buffer): Promise<BundleCheckInputs> {
        fixture.platform.serve(content);
        const { sha256: measured } = await fixture.create({ jobId });
        fixture.platform.serve(await site("packed anew"));
        return { jobId, mirror: { ...place, sha256: measured } };
    }

    function reasonOf(inputs: BundleCheckInputs): Promise<string> {
        return lifecycle.create(inputs).then(
            () => "accepted",
            (error: Error) => error.message,
        );
    }

    it("checks the copy that the pods will fetch, regardless of the platform's current responses", async () => {
        const copied = await site("copied");
        const { outs } = await lifecycle.create(await mirrored("se_1", copied));
        assert.equal((outs as { sha256: string }).sha256, sha256(copied));
    });

    it("refuses a copy that no pod would serve, and explains how to copy the bundle again", async () => {
        const inputs = await mirrored("se_2", await archive([{ name: "../escaped.html", content: "x" }]));
        const reason = await reasonOf(inputs);
        assert.match(reason, /^Bundle refused: the entry "\.\.\/escaped\.html"/);
        assert.match(reason, /s3:\/\/docs-bundles\/static-exports\/se_2\.tar\.gz.*delete that object.*--refresh/);
        assert.doesNotMatch(reason, /X-Amz/i);
    });

    it("refuses a copy that was replaced after its creation, or that has an unexpected digest", async () => {
        const inputs = await mirrored("se_3", await site("copied"));
        assert.equal(await reasonOf(inputs), "accepted");
        assert.match(await reasonOf({ ...inputs, expectedSha256: "0".repeat(64) }), /instead of 0{64}/);
        const exchanged = { Bucket: bucket, Key: "static-exports/se_3.tar.gz", Body: await site("exchanged") };
        await fixture.s3.client.send(new PutObjectCommand(exchanged));
        assert.match(await reasonOf(inputs), new RegExp(`instead of ${String(inputs.mirror?.sha256)}`));
    });

    it("runs again when the copy was created again, but not when a link was renewed", async () => {
        const inputs = await mirrored("se_4", await site("copied"));
        const outs = (await lifecycle.create(inputs)).outs as never;
        assert.deepEqual(await lifecycle.diff("se_4", outs, structuredClone(inputs)), { changes: false });
        const again = { ...inputs, mirror: { ...place, sha256: "1".repeat(64) } };
        assert.deepEqual(await lifecycle.diff("se_4", outs, again), { changes: true });
    });

    it("refuses an invalid storage place before any request", async () => {
        const mirror = { bucket: "Not A Bucket", sha256: "abc" };
        const { failures = [] } = await lifecycle.check({ jobId: "" }, { jobId: "se_5", mirror });
        assert.deepEqual(
            failures.map(({ property }) => property),
            ["mirror.bucket", "mirror.sha256"],
        );
        const { failures: none } = await lifecycle.check({ jobId: "" }, await mirrored("se_5", await site()));
        assert.deepEqual(none, []);
    });
});
