import assert from "node:assert/strict";
import { checkType } from "@pulumi-static-export/contract";
import { explainCopy } from "../../../cli/src/preview/explain/explain-copy.js";

function noteOf(outputs: object, kind = "update"): unknown {
    const old = { inputs: { jobId: "se_1" }, outputs };
    const change = { type: checkType, kind, old, new: { inputs: { jobId: "se_2" }, outputs: {} } };
    return explainCopy({ ...change, replacedBy: [], changed: ["jobId"] } as never, [], undefined);
}

const checked = "the bundle is checked before anything is rolled out";

describe("The report's note on a BundleCheck", () => {
    it("lists the data that the pages of the last bundle send, and formats the data as code", () => {
        assert.deepEqual(noteOf({ sends: ["page views to plausible.example.com", "<b>"] }), [
            checked,
            "; the last checked bundle sends ",
            { code: "page views to plausible.example.com" },
            ", ",
            { code: "<b>" },
        ]);
    });

    it("is omitted if the data is unknown or the pages send none", () => {
        for (const outputs of [{}, { sends: [] }, { sends: "x" }, { sends: [1, null] }]) {
            assert.deepEqual(noteOf(outputs), [checked]);
        }
        assert.equal(noteOf({ sends: ["x"] }, "delete"), undefined);
    });

    it("is short, regardless of the state's content", () => {
        assert.equal((noteOf({ sends: Array.from({ length: 1000 }, () => "x") }) as unknown[]).length, 11);
    });
});
