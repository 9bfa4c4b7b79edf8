import assert from "node:assert/strict";
import { parseUrn } from "../../../plugin/src/wire/urn.js";

describe("the URN of a resource", () => {
    it("tells stack, project, type and name, also below a component and with colons in the name", () => {
        const urn = "urn:pulumi:dev::site::my:index:Site$static-export:index:StaticExportBundle::docs::v2";
        assert.deepEqual(parseUrn(urn), {
            stack: "dev",
            project: "site",
            type: "static-export:index:StaticExportBundle",
            name: "docs::v2",
        });
    });

    it("is undefined for other text", () => {
        assert.equal(parseUrn("docs"), undefined);
    });
});
