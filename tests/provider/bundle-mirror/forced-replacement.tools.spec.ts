import assert from "node:assert/strict";
import { MirrorFixture } from "./mirror-fixture.js";
import { archiveOf } from "./platform-server.js";

const key = "static-exports/se_42.tar.gz";

describe("Forced replacement of a mirror with deleteOnRemoval", function () {
    this.timeout(120_000);
    let fixture: MirrorFixture;

    beforeEach(async () => {
        fixture = await MirrorFixture.start();
    });
    afterEach(() => fixture.stop());

    const replaced = { deleteOnRemoval: true };

    beforeEach(() => fixture.platform.serve(archiveOf(1000)));

    it("keeps the copy, because the program still declares the mirror", async () => {
        const outs = await fixture.create(replaced);
        await fixture.lifecycle.check(fixture.inputs, { ...fixture.inputs, ...replaced });
        await fixture.create(replaced);
        await fixture.lifecycle.delete("id", outs);
        assert.deepEqual(await fixture.s3.keys(), [key, `${key}.sha256`]);
        assert.match(fixture.lines.join("\n"), /stays, because a mirror of this program serves it/);
    });

    it("keeps the copy if the endpoint changed, because both endpoints may serve the same storage", async () => {
        const outs = await fixture.create(replaced);
        const { pathname, port } = new URL(fixture.s3.endpoint);
        const endpoint = `http://localhost:${port}${pathname}`;
        await fixture.lifecycle.check(fixture.inputs, { ...fixture.inputs, endpoint });
        await fixture.lifecycle.delete("id", outs);
        assert.deepEqual(await fixture.s3.keys(), [key, `${key}.sha256`]);
    });

    it("keeps the copy if another provider process of the same run created the replacement", async () => {
        const outs = await fixture.create(replaced);
        await fixture.createLifecycle().create({ ...fixture.inputs, ...replaced });
        await fixture.lifecycle.delete("id", outs);
        assert.deepEqual(await fixture.s3.keys(), [key, `${key}.sha256`]);
    });

    it("removes the copy of another export, or of another folder", async () => {
        const outs = await fixture.create(replaced);
        await fixture.lifecycle.check(fixture.inputs, { ...fixture.inputs, jobId: "se_43" });
        await fixture.lifecycle.check(fixture.inputs, { ...fixture.inputs, prefix: "other/" });
        await fixture.lifecycle.delete("id", outs);
        assert.deepEqual(await fixture.s3.keys(), []);
    });
});
