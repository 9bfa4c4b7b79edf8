import assert from "node:assert/strict";
import { markKey, marks } from "@pulumi-static-export/contract";
import { createReport } from "../../../cli/src/preview/preview-report.js";
import { type EngineEvent } from "../../../cli/src/preview/log/engine-event.js";

const dynamicType = "pulumi-nodejs:dynamic/static-export:DocumentationUpdate";

/** Returns the note about an update that a preview plans. */
function noteOf(type: string, op: string, outputs: object = {}, triggers: unknown = ["b"]): string | undefined {
    const urn = `urn:pulumi:dev::docs::${type}::docs`;
    const inputs = { projectId: "docs", triggers };
    const old = { type, urn, inputs: { ...inputs, triggers: ["a"] }, outputs: { triggers: ["a"], ...outputs } };
    const metadata = { op, urn, type, old: op === "create" ? null : old, new: { type, urn, inputs, outputs: {} } };
    const events = [{ sequence: 1, timestamp: 1, resourcePreEvent: { metadata } }] as unknown as EngineEvent[];
    const [change] = createReport({ events, isCut: false }).others;
    return change?.note?.map((part) => (typeof part === "string" ? part : part.code)).join("");
}

describe("The preview report with a DocumentationUpdate", () => {
    for (const type of [dynamicType, "static-export:index:DocumentationUpdate"]) {
        it(`states that the job waits for an update of its project: ${type}`, () => {
            assert.equal(noteOf(type, "create"), "waits for an update of project docs");
            assert.equal(noteOf(type, "update"), "waits for an update of project docs");
        });
    }

    it("names the update that a previous run started, unless another one is started", () => {
        const pending = { pendingJobId: "du_1" };
        assert.equal(
            noteOf(dynamicType, "update", pending, ["a"]),
            "waits for update du_1 of project docs, which an earlier run started",
        );
        assert.equal(noteOf(dynamicType, "update", pending, ["b"]), "waits for an update of project docs");
    });

    it("does not guess whether a secret trigger has changed", () => {
        const secret = { [markKey]: marks.secret, ciphertext: "[secret]" };
        assert.equal(
            noteOf(dynamicType, "update", { pendingJobId: "du_1", triggers: secret }, secret),
            "waits for update du_1 of project docs, which an earlier run started, or for a new one",
        );
    });
});
