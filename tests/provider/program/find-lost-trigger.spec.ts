import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { findLostTrigger } from "../../../provider/src/program/find-lost-trigger.js";

class Commit {
    constructor(readonly id: string) {}
}

describe("findLostTrigger", () => {
    const lost: [string, unknown][] = [
        ["a Date", new Date(0)],
        ["a Map", new Map([["page", 1]])],
        ["a Set", new Set([1])],
        ["a URL", new URL("https://docs.example.com")],
        ["a RegExp", /page/],
        ["a function", () => 1],
        ["a bigint", 10n],
        ["a symbol", Symbol("page")],
    ];
    for (const [what, value] of lost) {
        it(`names ${what}, whether alone, in a list or in an object`, () => {
            for (const triggers of [value, ["1", value], { pages: [{ value }] }]) {
                assert.match(
                    findLostTrigger({ triggers }) ?? "",
                    new RegExp(`^triggers contains ${what}, .* as a string$`),
                );
            }
        });
    }

    const kept: [string, unknown][] = [
        ["none", undefined],
        ["text, numbers, truth and null", ["1", 2, true, null, undefined]],
        ["lists and objects, also empty ones", { pages: [], settings: {}, bare: Object.create(null) as object }],
        ["bytes", Buffer.from("page")],
        ["an object of a class with fields", new Commit("4f2a")],
        ["an output", pulumi.output(new Date(0))],
        ["a promise", Promise.resolve(1)],
        ["a file", new pulumi.asset.FileAsset("index.md")],
        ["a folder", [new pulumi.asset.FileArchive("site")]],
    ];
    for (const [what, triggers] of kept) {
        it(`accepts ${what}`, () => {
            assert.equal(findLostTrigger({ triggers }), undefined);
        });
    }

    it("does not loop forever on a circular object, which Pulumi refuses", () => {
        const triggers: Record<string, unknown> = {};
        triggers["self"] = triggers;
        assert.equal(findLostTrigger({ triggers }), undefined);
    });

    it("accepts missing arguments, so that the check can report which inputs are required", () => {
        assert.equal(findLostTrigger(undefined), undefined);
        assert.equal(findLostTrigger(null), undefined);
    });
});
