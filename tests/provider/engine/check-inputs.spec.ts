import assert from "node:assert/strict";
import { unknownValue } from "@pulumi-static-export/contract";
import {
    checkInputs,
    positiveInteger,
    type Rule,
    seconds,
    show,
    wholeNumber,
    withoutRefusedValues,
} from "../../../provider/src/engine/check-inputs.js";

describe("A value in the message of a refused input", () => {
    it("shows neither query nor password of any URL", () => {
        const urls = ["https://me:5ecret@a.example.com/x?sig=5ecret", "https://you:5ecret@b.example.com/y?sig=5ecret"];
        assert.equal(show(urls), '["https://…@a.example.com/x?…","https://…@b.example.com/y?…"]');
    });

    it("is shortened to 80 characters", () => {
        assert.equal(show("a".repeat(78)), `"${"a".repeat(78)}"`);
        assert.equal(show("a".repeat(79)), `"${"a".repeat(78)}…`);
    });

    it("may have no form in JSON", () => {
        assert.equal(show(Symbol("page")), "Symbol(page)");
    });
});

describe("The rule of a number", () => {
    for (const [what, rule, accepted, refused] of [
        ["seconds", seconds(1, 10), [1, 1.5, 10], [0.999, 10.001, NaN, "5"]],
        ["a whole number", wholeNumber(0, 100), [0, 100], [-1, 101, 1.5, "5"]],
        ["a positive whole number", positiveInteger, [1, 2 ** 53 - 1], [0, 1.5, 2 ** 53, "5"]],
    ] as [string, Rule, unknown[], unknown[]][]) {
        it(`accepts its bounds and refuses everything beyond them: ${what}`, () => {
            const isAccepted = (value: unknown) => rule(value) === undefined;
            assert.deepEqual(accepted.filter(isAccepted), accepted);
            assert.deepEqual(refused.filter(isAccepted), []);
        });
    }
});

describe("A refused input", () => {
    it("may have the name of a method of objects, or be missing, null or unknown", () => {
        const rules = { keep: positiveInteger, adopt: positiveInteger };
        const failuresOf = (news: Record<string, unknown>) =>
            checkInputs(news, rules, { keep: "how many" }).map(({ property, reason }) => `${property} ${reason}`);
        assert.deepEqual(failuresOf({ keep: null, adopt: undefined, __provider: "code" }), [
            "keep is required: how many",
        ]);
        assert.deepEqual(failuresOf({ keep: unknownValue, toString: 1 }), [
            "toString is not an input. The inputs are keep, adopt",
        ]);
    });

    it("is named in the reason only, because the engine prints the value of each input that a failure names", () => {
        const failures = [{ property: "endpoint", reason: "must be an http(s) address" }];
        assert.deepEqual(withoutRefusedValues({ inputs: {}, failures }), {
            inputs: {},
            failures: [{ property: "", reason: "endpoint must be an http(s) address" }],
        });
    });
});
