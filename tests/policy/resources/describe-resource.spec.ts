import assert from "node:assert/strict";
import { describeResource } from "../../../policy/src/resources/describe-resource.js";

const described = (name: string) => describeResource("Release", `urn:pulumi:dev::docs::my:index:Release::${name}`);

describe("The name of a resource in a message", () => {
    for (const [what, name, shown] of [
        ["is in quotation marks", "docs", "docs"],
        ["has no other quotation marks", 'a"b"', "a'b'"],
        ["shows invisible characters as codes", "a\u200bb\u0007", "a\\u{200b}b\\u{7}"],
        [
            "shows characters that reverse or end a line as codes",
            "a\u202eb\u2028c\u2029",
            "a\\u{202e}b\\u{2028}c\\u{2029}",
        ],
        ["may have a hundred characters", "🎈".repeat(100), "🎈".repeat(100)],
        ["is shortened if it is longer", "🎈".repeat(101), `${"🎈".repeat(100)}…`],
    ] as const) {
        it(what, () => {
            assert.equal(described(name), `Release "${shown}"`);
        });
    }

    it("is empty for a URN that has another form", () => {
        assert.equal(describeResource("Release", "docs"), 'Release ""');
    });
});
