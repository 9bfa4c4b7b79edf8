import assert from "node:assert/strict";
import { withoutRefresh } from "../../../cli/src/preview/redacted-stack.js";

describe("The arguments of a redacted preview", () => {
    for (const args of [[], ["--diff"], ["--refresh-only"], ["--target", "refresh"]]) {
        it(`refuse a refresh that only Pulumi.yaml asks for: ${args.join(" ") || "none"}`, () => {
            assert.deepEqual(withoutRefresh(args), ["--refresh=false", ...args]);
        });
    }

    for (const arg of ["--refresh", "-r", "--refresh=true", "--refresh=false", "-r=true"]) {
        it(`keep ${arg}`, () => assert.deepEqual(withoutRefresh(["--diff", arg]), ["--diff", arg]));
    }
});
