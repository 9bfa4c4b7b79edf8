import assert from "node:assert/strict";
import { checkPipeline } from "../../../cli/src/doctor/check-pipeline.js";

describe("The pipeline check of static-export doctor", () => {
    it("names the run and the mechanism that finds its jobs", () => {
        assert.deepEqual(checkPipeline({ CI: "true", GITHUB_ACTIONS: "true", GITHUB_RUN_ID: "42" }), {
            check: "pipeline",
            status: "ok",
            found: "GITHUB_RUN_ID=42 identifies this run, so that any machine finds the jobs of the run if the platform honours Idempotency-Key",
        });
    });

    it("warns if the pipeline has no known run id", () => {
        const { status, fix } = checkPipeline({ CI: "true" });
        assert.equal(status, "warning");
        assert.match(fix ?? "", /^Set STATIC_EXPORT_RUN_ID to a value that stays/);
    });

    it("recommends the journal outside of pipelines", () => {
        const { status, found } = checkPipeline({});
        assert.equal(status, "ok");
        assert.match(found, /the journal on this machine/);
    });
});
