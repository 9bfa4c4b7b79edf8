import assert from "node:assert/strict";
import { findPipelineRun, pipelineSystems } from "@pulumi-static-export/contract";

describe("The id of a pipeline run", () => {
    for (const [name, { marker, variable }] of Object.entries(pipelineSystems)) {
        it(`is an id that stays the same when the run is repeated: ${name}`, () => {
            assert.equal(findPipelineRun({ [marker]: "true", [variable]: "42" }), `${variable}=42`);
        });
    }

    it("is the value of STATIC_EXPORT_RUN_ID, regardless of other variables", () => {
        const env = { GITHUB_ACTIONS: "true", GITHUB_RUN_ID: "42", STATIC_EXPORT_RUN_ID: "mine" };
        assert.equal(findPipelineRun(env), "STATIC_EXPORT_RUN_ID=mine");
    });

    it("may come from the configuration or the environment, and the configuration takes precedence", () => {
        assert.equal(findPipelineRun({ STATIC_EXPORT_RUN_ID: "mine" }, "ours"), "STATIC_EXPORT_RUN_ID=ours");
    });

    it("is unknown outside of pipelines, and if the only id may belong to a different program", () => {
        assert.equal(findPipelineRun({}), undefined);
        assert.equal(findPipelineRun({ GITHUB_RUN_ID: "42", BUILD_TAG: "nightly" }), undefined);
    });

    it("is unknown if the variables are empty", () => {
        const env = { GITHUB_ACTIONS: "true", GITHUB_RUN_ID: "", STATIC_EXPORT_RUN_ID: "" };
        assert.equal(findPipelineRun(env), undefined);
    });
});
