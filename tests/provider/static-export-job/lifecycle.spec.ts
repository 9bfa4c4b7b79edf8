import assert from "node:assert/strict";
import { ExportJobLifecycle } from "../../../provider/src/static-export-job/lifecycle.js";
import type { ExportJobInputs, ExportJobState } from "../../../provider/src/static-export-job/model.js";
import { FakePlatform } from "../support/fake-platform.js";
import { ProviderFixture } from "../support/provider-fixture.js";

const inputs: ExportJobInputs = { domain: "docs.example.com", version: "1", __provider: "shim" };

describe("StaticExportJob", () => {
    let fixture: ProviderFixture<ExportJobLifecycle, FakePlatform>;
    beforeEach(() => {
        fixture = new ProviderFixture(
            (clock) => new FakePlatform(clock),
            (runtime) => new ExportJobLifecycle(runtime),
        );
    });
    afterEach(() => fixture.dispose());

    const create = async (): Promise<ExportJobState> => (await fixture.lifecycle.create(inputs)).outs as ExportJobState;

    it("starts one job without waiting for it", async () => {
        assert.deepEqual(await create(), { ...inputs, jobId: "se_1" });
        assert.deepEqual(fixture.server.requests, [{ operation: "start" }]);
    });

    it("is identified by its domain, also in the error of a refresh", async () => {
        const { id } = await fixture.lifecycle.create(inputs);
        assert.equal(id, "docs.example.com");
        fixture.server.faults.get = [{ status: 403 }];
        await assert.rejects(fixture.lifecycle.read(id, { ...inputs, jobId: "se_1" }), (error: Error) => {
            assert.equal(String(error), "docs.example.com could not be refreshed");
            assert.match(error.message, /^Export job se_1 of docs\.example\.com: /);
            return true;
        });
    });

    it("starts another job for an equal resource that is created after it", async () => {
        assert.deepEqual([(await create()).jobId, (await create()).jobId], ["se_1", "se_2"]);
    });

    it("shows no diff and makes no request whether its job runs, ends or fails", async () => {
        const state = await create();
        assert.deepEqual(await fixture.lifecycle.diff("", state, inputs), { changes: false });
        assert.equal(fixture.server.requests.length, 1);
    });

    it("starts another job in place when version, paths or triggers change", async () => {
        const state = await create();
        for (const change of [{ version: "2" }, { paths: ["/start"] }, { triggers: "abc" }]) {
            assert.deepEqual(await fixture.lifecycle.diff("", state, { ...inputs, ...change }), { changes: true });
        }
        const { outs } = await fixture.lifecycle.update("", state, { ...inputs, version: "2" });
        assert.equal(outs?.jobId, "se_2");
    });

    it("is replaced when the domain changes", async () => {
        const news = { ...inputs, domain: "docs.example.org" };
        assert.deepEqual((await fixture.lifecycle.diff("", await create(), news)).replaces, ["domain"]);
    });

    it("stays in the state after a refresh, unless its job has failed or is gone", async () => {
        const state = await create();
        assert.equal((await fixture.lifecycle.read("docs.example.com", state)).id, "docs.example.com");
        fixture.server.forgetAll();
        assert.equal((await fixture.lifecycle.read("docs.example.com", state)).id, "");
        fixture.server.nextOutcome = { failed: "out of disk" };
        const failing = await create();
        fixture.clock.pass(3600_000);
        assert.equal((await fixture.lifecycle.read("docs.example.com", failing)).id, "");
    });

    it("makes no request when deleted", async () => {
        await fixture.lifecycle.delete("", await create());
        assert.equal(fixture.server.requests.length, 1);
    });

    it("refuses inputs that only a StaticExportBundle accepts", async () => {
        const { failures } = await fixture.lifecycle.check(inputs, { ...inputs, jobId: "se_1" } as ExportJobInputs);
        assert.deepEqual(
            failures?.map(({ property }) => property),
            ["jobId"],
        );
    });

    it("names the argument that adopts a job that may have started", async () => {
        fixture.server.faults.start.push("lost");
        await assert.rejects(create(), /may or may not have been started.*in the arguments of the StaticExportBundle/s);
    });
});
