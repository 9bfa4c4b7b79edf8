import assert from "node:assert/strict";
import { readStateFile } from "../../../../cli/src/redaction/pulumi/state-file.js";
import { UsageError } from "../../../../cli/src/command-line/usage-error.js";

const resource = { urn: "urn:pulumi:dev::e2e::pulumi:pulumi:Stack::e2e-dev", type: "pulumi:pulumi:Stack" };
const state = { version: 3, deployment: { resources: [resource] } };

function bufferOf(value: unknown): Buffer {
    return Buffer.from(JSON.stringify(value));
}

describe("A state file", () => {
    for (const [what, content] of [
        ["with a byte order mark", Buffer.from(`\uFEFF${JSON.stringify(state)}`)],
        ["in UTF-16, as older PowerShells write it", Buffer.from(`\uFEFF${JSON.stringify(state)}`, "utf16le")],
    ] as const) {
        it(`is accepted ${what}`, () => {
            assert.deepEqual(readStateFile(content), state);
        });
    }

    for (const [what, file] of [
        ["an export", { version: 3, deployment: null }],
        ["a checkpoint", { version: 3, checkpoint: { stack: "dev", latest: null } }],
    ] as const) {
        it(`is empty if the stack has not been updated yet: ${what}`, () => {
            assert.deepEqual(readStateFile(bufferOf(file)), { version: 3, deployment: {} });
        });
    }

    it("may contain null instead of an empty list, as Go writes it", () => {
        const deployment = { resources: null, pending_operations: null };
        assert.deepEqual(readStateFile(bufferOf({ version: 3, deployment })).deployment, {});
    });

    for (const [what, deployment] of [
        ["a resource that is none", { resources: [resource, null] }],
        ["a resource without a type", { resources: [{ urn: resource.urn }] }],
        ["resources that are no list", { resources: { first: resource } }],
        ["an operation without a resource", { resources: [], pending_operations: [{ type: "creating" }] }],
    ] as const) {
        it(`is refused if it has ${what}`, () => {
            const isRefusal = (error: unknown) => error instanceof UsageError && /is damaged/.test(error.message);
            assert.throws(() => readStateFile(bufferOf({ version: 3, deployment })), isRefusal);
        });
    }
});
