import assert from "node:assert/strict";
import { adoptedJobAge } from "../../../../policy/src/policies/bundles/adopted-job-age.js";
import { bundle, bundleInPreview, exportJob, mirror } from "../../support/resources.js";
import { type TestResource, unknown, validate, validateStack } from "../../support/run-policy.js";

describe("adopted-job-age", () => {
    const nowMs = Date.parse("2026-12-15T00:00:00Z");

    /** Checks the inputs of the resource first and then the whole stack, as the engine does. */
    const check = async (inputs: object, resource: TestResource, config: object = {}) => {
        const policy = adoptedJobAge(() => nowMs);
        const first = await validate(policy, bundleInPreview(inputs), config);
        return [...first, ...(await validateStack(policy, [resource], config))];
    };

    it("reports an adopted job whose export is older than a month", async () => {
        const [violation] = await check({ jobId: "se_1" }, bundle({ exportedAt: "2026-11-01T00:00:00Z" }));
        assert.match(
            violation!.message,
            /\nStaticExportBundle "docs" adopts a job whose export is more than 30 days old/,
        );
        assert.doesNotMatch(violation!.message, /se_1/);
        assert.equal(violation!.level, "advisory");
    });

    it("accepts an adopted job whose export is younger than the default or configured limit", async () => {
        assert.deepEqual(await check({ jobId: "se_1" }, bundle({ exportedAt: "2026-12-01T00:00:00Z" })), []);
        assert.deepEqual(await check({ jobId: "se_1" }, bundle({}), { maxAgeDays: 60 }), []);
    });

    it("accepts the old job of a StaticExportJob, because its inputs decide when a new job starts", async () => {
        const policy = adoptedJobAge(() => nowMs);
        const job = exportJob({ jobId: "se_1" });
        await validate(policy, bundleInPreview({ jobId: "se_1" }));
        assert.deepEqual(await validateStack(policy, [job, bundle({}, { from: { jobId: [job] } })]), []);
    });

    it("accepts an old export that was not adopted", async () => {
        assert.deepEqual(await check({}, bundle({ exportedAt: "2020-01-01T00:00:00Z" })), []);
    });

    it("reports only what is older than the limit", async () => {
        const exported = (exportedAt: string) => check({ jobId: "se_1" }, bundle({ exportedAt }));
        assert.deepEqual(await exported("2026-11-15T00:00:00Z"), []);
        assert.equal((await exported("2026-11-14T23:59:59Z")).length, 1);
    });

    it("forgets an adopted job that the program no longer names", async () => {
        const policy = adoptedJobAge(() => nowMs);
        await validate(policy, bundleInPreview({ jobId: "se_1" }));
        await validate(policy, bundleInPreview());
        assert.deepEqual(await validateStack(policy, [bundle({ exportedAt: "2020-01-01T00:00:00Z" })]), []);
    });

    it("ignores other resources that have a job", async () => {
        const policy = adoptedJobAge(() => nowMs);
        const copy = mirror({ exportedAt: "2020-01-01T00:00:00Z" });
        await validate(policy, copy);
        assert.deepEqual(await validateStack(policy, [copy]), []);
    });

    it("reports nothing while the job or its date is unknown", async () => {
        assert.deepEqual(await check({ jobId: unknown }, bundleInPreview({ jobId: unknown })), []);
        assert.deepEqual(await check({ jobId: "se_1" }, bundleInPreview({ exportedAt: unknown })), []);
    });
});
