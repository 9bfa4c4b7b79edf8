import assert from "node:assert/strict";
import { ciSystems, findCiRun } from "../../../provider/src/start-keys/ci-run.js";

describe("The run of a pipeline", () => {
    for (const [name, { marker, variable }] of Object.entries(ciSystems)) {
        it(`is known by the id that stays when it is run again: ${name}`, () => {
            assert.equal(findCiRun({ [marker]: "true", [variable]: "42" }), `${variable}=42`);
        });
    }

    it("is what STATIC_EXPORT_RUN_ID says, whatever else is set", () => {
        const env = { GITHUB_ACTIONS: "true", GITHUB_RUN_ID: "42", STATIC_EXPORT_RUN_ID: "mine" };
        assert.equal(findCiRun(env), "STATIC_EXPORT_RUN_ID=mine");
    });

    it("is unknown outside of pipelines, and where only an id is set that another program may have left", () => {
        assert.equal(findCiRun({}), undefined);
        assert.equal(findCiRun({ GITHUB_RUN_ID: "42", BUILD_TAG: "nightly" }), undefined);
    });

    it("is unknown where the variables are empty", () => {
        const env = { GITHUB_ACTIONS: "true", GITHUB_RUN_ID: "", STATIC_EXPORT_RUN_ID: "" };
        assert.equal(findCiRun(env), undefined);
    });
});
