import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { findWrongInput, type InputKind } from "../../../provider/src/program/component-inputs.js";

const inputs: Record<string, InputKind> = {
    name: "input",
    folder: "text",
    isPublic: "flag",
    features: "flags",
    values: "record",
};
const find = (args: Record<string, unknown>) => findWrongInput(args, inputs, { name: "name is required" });

describe("The arguments of a component", () => {
    it("are accepted if each has its kind", () => {
        const all = { folder: "docs", isPublic: false, features: { search: true }, values: { a: 1 } };
        assert.equal(find({ name: "docs", ...all }), undefined);
        assert.equal(find({ name: pulumi.output("docs") }), undefined);
        assert.equal(find({ name: 7, folder: undefined, isPublic: undefined, features: undefined }), undefined);
        assert.equal(find({ name: "docs", values: { a: pulumi.output(1) } }), undefined);
    });

    it("are refused with the names of all inputs if one is unknown", () => {
        const reason = "nmae is not an input. The inputs are name, folder, isPublic, features, values";
        assert.equal(find({ nmae: "docs" }), reason);
    });

    it("are refused if a required one is missing or null", () => {
        for (const args of [{}, { name: undefined }, { name: null }]) {
            assert.equal(find(args), "name is required");
        }
    });

    it("are refused if one has another kind", () => {
        for (const [args, reason] of [
            [{ folder: 7 }, "folder must be a string, got 7"],
            [{ folder: null }, "folder must be a string, got null"],
            [{ isPublic: "yes" }, 'isPublic must be true or false, got "yes"'],
            [{ isPublic: true, features: [true] }, "features must be an object, got [true]"],
            [{ features: null }, "features must be an object, got null"],
            [{ features: { search: true, chat: "on" } }, 'features.chat must be true or false, got "on"'],
            [{ values: "a" }, 'values must be an object, got "a"'],
            [{ values: null }, "values must be an object, got null"],
        ] as const) {
            assert.equal(find({ name: "docs", ...args }), reason);
        }
    });

    it("are refused if one that decides about resources is an Output or a promise", () => {
        const start = "must be known while the program runs, so it cannot be an Output";
        assert.equal(find({ name: "docs", isPublic: pulumi.output(true) }), `isPublic ${start}`);
        assert.equal(find({ name: "docs", folder: Promise.resolve("docs") }), `folder ${start}`);
        assert.equal(find({ name: "docs", features: { chat: pulumi.output(true) } }), `features.chat ${start}`);
        const values = `values ${start}. Only its properties may be Outputs`;
        assert.equal(find({ name: "docs", values: pulumi.output({ a: 1 }) }), values);
    });
});
