import assert from "node:assert/strict";
import { parseYaml } from "../../../exporter/src/text/parse-yaml.js";

describe("A YAML file", () => {
    it("may use an anchor as often as it likes", () => {
        const sites = Array.from(
            { length: 500 },
            (_, index) => `site${index}.example.com: { source: ./docs, build: *build }`,
        );
        const content = parseYaml(`base: &build { command: make }\n${sites.join("\n")}\n`) as Record<string, object>;
        assert.equal(Object.keys(content).length, 501);
        assert.deepEqual(content["site499.example.com"], { source: "./docs", build: { command: "make" } });
    });

    it("may not use aliases that multiply to a huge content, and the error names the line", () => {
        const lines = ["a: &a [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"];
        for (let index = 1; index < 12; index += 1) {
            const [name, before] = ["abcdefghijkl"[index], "abcdefghijkl"[index - 1]];
            lines.push(`${name}: &${name} [${Array<string>(10).fill(`*${before}`).join(", ")}]`);
        }
        assert.throws(
            () => parseYaml(lines.join("\n")),
            /^Error: line 5: with \*d, the aliases expand to more than 100000 values$/,
        );
    });

    it("may not contain itself, and the error names the line", () => {
        assert.throws(
            () => parseYaml("name: docs\nsite: &site\n  build:\n    again: *site\n"),
            /^Error: line 4: the alias \*site is within its own anchor$/,
        );
    });

    it("with a mistake is refused with its line", () => {
        assert.throws(() => parseYaml("a: 1\nb: [1, 2\n"), /line 3|line 2/);
    });

    it("with an alias of no anchor is refused", () => {
        assert.throws(() => parseYaml("a: *none\n"), /none/);
    });
});
