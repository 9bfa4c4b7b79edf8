import assert from "node:assert/strict";
import { parseUrn } from "@pulumi-static-export/contract";

describe("The URN of a resource", () => {
    it("contains the stack, project, type and name, even below a component and with any characters in the name", () => {
        const urn = "urn:pulumi:dev::site::my:index:Site$static-export:index:StaticExportBundle::docs::v2 $x";
        assert.deepEqual(parseUrn(urn), {
            stack: "dev",
            project: "site",
            type: "static-export:index:StaticExportBundle",
            name: "docs::v2 $x",
        });
    });

    it("is undefined for text that is not a URN", () => {
        assert.equal(parseUrn("docs"), undefined);
    });
});
