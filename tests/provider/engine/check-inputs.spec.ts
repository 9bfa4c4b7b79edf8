import assert from "node:assert/strict";
import { show, withoutRefusedValues } from "../../../provider/src/engine/check-inputs.js";

describe("A value in the message of a refused input", () => {
    it("shows neither query nor password of any URL", () => {
        const urls = ["https://me:5ecret@a.example.com/x?sig=5ecret", "https://you:5ecret@b.example.com/y?sig=5ecret"];
        assert.equal(show(urls), '["https://…@a.example.com/x?…","https://…@b.example.com/y?…"]');
    });
});

describe("A refused input", () => {
    it("is named in the reason only, because the engine prints the value of each input that a failure names", () => {
        const failures = [{ property: "endpoint", reason: "must be an http(s) address" }];
        assert.deepEqual(withoutRefusedValues({ inputs: {}, failures }), {
            inputs: {},
            failures: [{ property: "", reason: "endpoint must be an http(s) address" }],
        });
    });
});
