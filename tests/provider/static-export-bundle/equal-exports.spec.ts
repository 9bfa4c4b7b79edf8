import assert from "node:assert/strict";
import type { BundleInputs } from "../../../provider/src/static-export-bundle/model.js";
import { LifecycleFixture } from "../support/lifecycle-fixture.js";

const inputs: BundleInputs = { domain: "docs.example.com", version: "1", __provider: "shim" };
const many = (count: number) => Array.from({ length: count });

describe("Equal exports that begin at the same time share one job", () => {
    let fixture: LifecycleFixture;
    beforeEach(() => {
        fixture = new LifecycleFixture();
    });
    afterEach(() => fixture.dispose());

    async function assertOneJob(creates: Promise<{ outs?: { jobId?: string } }>[]): Promise<void> {
        const jobIds = (await Promise.all(creates)).map(({ outs }) => outs?.jobId);
        assert.deepEqual([...new Set(jobIds)], ["se_1"]);
        assert.equal(fixture.platform.count("start"), 1);
    }

    it("when two resources of one program are equal, with a separate link for each resource", async () => {
        const [one, two] = await Promise.all([fixture.create(inputs), fixture.create(inputs)]);
        assert.deepEqual([one.jobId, two.jobId], ["se_1", "se_1"]);
        assert.notEqual(one.bundleUrl, two.bundleUrl);
        assert.equal(fixture.platform.count("start"), 1);
    });

    it("when their number exceeds the limit of concurrent starts", async () => {
        await assertOneJob(many(20).map(() => fixture.lifecycle.create(inputs)));
    });

    it("when other exports are ahead of them in the queue", async () => {
        fixture.platform.hang = "start";
        const others = many(8).map((_, i) => fixture.create({ ...inputs, version: `other ${i}` }));
        const equals = [fixture.create(inputs), fixture.create(inputs)];
        fixture.platform.release();
        await Promise.all(others);
        const [one, two] = await Promise.all(equals);
        assert.equal(one?.jobId, two?.jobId);
        assert.equal(fixture.platform.count("start"), 9);
    });

    it("when they run in one process without a journal folder", async () => {
        const lifecycle = fixture.withoutFolder();
        await assertOneJob(many(5).map(() => lifecycle.create(inputs)));
    });
});
