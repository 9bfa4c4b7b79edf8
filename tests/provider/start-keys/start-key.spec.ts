import assert from "node:assert/strict";
import { deriveStartKey, type StartIntent } from "../../../provider/src/start-keys/start-key.js";

const intent: StartIntent = {
    identity: { project: "docs", stack: "production", type: "static-export:StaticExportBundle", name: "site" },
    inputs: { domain: "docs.example.com", triggers: { commit: "abc", pages: [1, { a: 1, b: 2 }] } },
    pipelineRun: "GITHUB_RUN_ID=1",
    after: undefined,
};

describe("The idempotency key of a start", () => {
    it("is the same on every machine, even if input fields are in a different order", () => {
        const reordered = { triggers: { pages: [1, { b: 2, a: 1 }], commit: "abc" }, domain: "docs.example.com" };
        assert.equal(deriveStartKey({ ...intent, inputs: reordered }), deriveStartKey(intent));
    });

    it("stays the same in every release, because an earlier release may have sent it", () => {
        assert.equal(deriveStartKey(intent), "2495aed710df497e71cdc2aef44dda2059f04d2f151cb3725c52248313951959");
    });

    it("is equal for dynamic and plugin resources, because a stack may change the kind between two attempts", () => {
        const keyOf = (type: string) => deriveStartKey({ ...intent, identity: { ...intent.identity, type } });
        assert.equal(
            keyOf("static-export:index:StaticExportBundle"),
            keyOf("pulumi-nodejs:dynamic/static-export:StaticExportBundle"),
        );
    });

    it("is valid for servers: visible ASCII and at most 255 characters", () => {
        assert.match(deriveStartKey(intent, ["se_1"]), /^[\x21-\x7e]{1,255}$/);
    });

    it("differs for each part of the intent, and for each refused job", () => {
        const { identity } = intent;
        const intents: StartIntent[] = [
            intent,
            { ...intent, identity: { ...identity, project: "other" } },
            { ...intent, identity: { ...identity, stack: "other" } },
            { ...intent, identity: { ...identity, type: "other" } },
            { ...intent, identity: { ...identity, name: "other" } },
            { ...intent, inputs: { domain: "docs.example.com" } },
            { ...intent, pipelineRun: "GITHUB_RUN_ID=2" },
            { ...intent, pipelineRun: undefined },
            { ...intent, after: "se_1" },
        ];
        const keys = [...intents.map((one) => deriveStartKey(one)), deriveStartKey(intent, ["se_1"])];
        keys.push(deriveStartKey(intent, ["se_1", "se_2"]));
        assert.equal(new Set(keys).size, keys.length);
    });

    it("reveals no part of a secret prompt", () => {
        assert.doesNotMatch(deriveStartKey({ ...intent, inputs: "the secret prompt" }), /secret/);
    });
});
