import { parseBasePath } from "@pulumi-static-export/contract";
import assert from "node:assert/strict";

describe("The base path of a site", () => {
    it("is accepted with or without leading and trailing slashes", () => {
        assert.deepEqual(["/docs", "docs/", "/a/b-2/", "/", ""].map(parseBasePath), ["docs", "docs", "a/b-2", "", ""]);
    });

    for (const text of ["/../x", "/a//b", "/a b", "/.git", "/a?b", "/static-export/x", "/index.html", "/ü"]) {
        it(`cannot be ${text}`, () => {
            assert.equal(parseBasePath(text), undefined);
        });
    }
});
