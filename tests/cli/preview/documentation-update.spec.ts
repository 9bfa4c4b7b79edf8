import assert from "node:assert/strict";
import { createReport } from "../../../cli/src/preview/preview-report.js";
import { type EngineEvent } from "../../../cli/src/preview/log/engine-event.js";

const dynamicType = "pulumi-nodejs:dynamic/static-export:DocumentationUpdate";

/** Returns the note about an update that a preview plans. */
function noteOf(type: string, op: string, outputs: object = {}): string | undefined {
    const urn = `urn:pulumi:dev::docs::${type}::docs`;
    const inputs = { projectId: "docs", triggers: ["b"] };
    const old = { type, urn, inputs: { ...inputs, triggers: ["a"] }, outputs };
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

    it("names the update that a previous run started", () => {
        assert.match(
            noteOf(dynamicType, "update", { pendingJobId: "du_1" }) ?? "",
            /^waits for update du_1 of project docs/,
        );
    });
});
