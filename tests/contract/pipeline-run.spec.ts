import assert from "node:assert/strict";
import { findPipelineRun, pipelineSystems } from "@pulumi-static-export/contract";

describe("The run of a pipeline", () => {
    for (const [name, { marker, variable }] of Object.entries(pipelineSystems)) {
        it(`is known by the id that stays when it is run again: ${name}`, () => {
            assert.equal(findPipelineRun({ [marker]: "true", [variable]: "42" }), `${variable}=42`);
        });
    }

    it("is what STATIC_EXPORT_RUN_ID says, whatever else is set", () => {
        const env = { GITHUB_ACTIONS: "true", GITHUB_RUN_ID: "42", STATIC_EXPORT_RUN_ID: "mine" };
        assert.equal(findPipelineRun(env), "STATIC_EXPORT_RUN_ID=mine");
    });

    it("is the same whether the configuration or the environment names it, and the configuration takes precedence", () => {
        assert.equal(findPipelineRun({ STATIC_EXPORT_RUN_ID: "mine" }, "ours"), "STATIC_EXPORT_RUN_ID=ours");
    });

    it("is unknown outside of pipelines, and where only an id is set that another program may have left", () => {
        assert.equal(findPipelineRun({}), undefined);
        assert.equal(findPipelineRun({ GITHUB_RUN_ID: "42", BUILD_TAG: "nightly" }), undefined);
    });

    it("is unknown where the variables are empty", () => {
        const env = { GITHUB_ACTIONS: "true", GITHUB_RUN_ID: "", STATIC_EXPORT_RUN_ID: "" };
        assert.equal(findPipelineRun(env), undefined);
    });
});
