import { parseBasePath } from "@pulumi-static-export/contract";
import assert from "node:assert/strict";

describe("The path below which a site is served", () => {
    it("is accepted with and without slashes at its ends", () => {
        assert.deepEqual(["/docs", "docs/", "/a/b-2/", "/", ""].map(parseBasePath), ["docs", "docs", "a/b-2", "", ""]);
    });

    for (const text of ["/../x", "/a//b", "/a b", "/.git", "/a?b", "/static-export/x", "/index.html", "/ü"]) {
        it(`is not ${text}`, () => {
            assert.equal(parseBasePath(text), undefined);
        });
    }
});
