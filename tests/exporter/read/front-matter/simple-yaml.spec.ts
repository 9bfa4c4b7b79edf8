import assert from "node:assert/strict";
import fc from "fast-check";
import { parse } from "yaml";
import { parseSimpleYaml } from "../../../../exporter/src/read/front-matter/simple-yaml.js";

describe("simple front matter", () => {
    it("is parsed exactly like YAML, or not at all", () => {
        const part = fc.constantFrom(
            ..."title: |a: |b: |\n|\r\n| |  |\t|\"|'|\\|true|false|null|~|yes|No|1|1.5|0x1f|.inf|2020-01-01|: |:|#| #|- |[|]|{|}|&a|*a|!t|>|-|,|é|Start|word".split(
                "|",
            ),
        );
        fc.assert(
            fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
                const yaml = parts.join("");
                const simple = parseSimpleYaml(yaml);
                if (simple !== undefined) {
                    assert.deepEqual(simple, parse(yaml));
                }
            }),
            { numRuns: 5000 },
        );
    });

    it("may contain plain and quoted strings, booleans and addresses", () => {
        assert.deepEqual(
            parseSimpleYaml(
                `title: Start here\ndescription: "What: a # start"\nicon: 'flag'\nhidden: true\nurl: x://y#z`,
            ),
            { title: "Start here", description: "What: a # start", icon: "flag", hidden: true, url: "x://y#z" },
        );
    });
});
