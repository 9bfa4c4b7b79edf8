import assert from "node:assert/strict";
import fc from "fast-check";
import { parse } from "yaml";
import { readFrontMatter } from "../../../../exporter/src/read/front-matter/front-matter.js";

describe("Front matter", () => {
    it("has the values that the YAML parser reads, also if its lines are simple", () => {
        const word = fc.constantFrom(
            "A",
            "page",
            "null",
            "True",
            "é",
            "don't",
            " ",
            "-",
            "?",
            "!",
            ",",
            ";",
            "1",
            "(x)",
            "#",
            ":",
        );
        const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(""));
        const value = fc.oneof(
            text,
            text.map((each) => `"${each}"`),
            text.map((each) => `'${each}'`),
        );
        const key = fc.constantFrom("a", "b", "title-2", "constructor", "toString");
        fc.assert(
            fc.property(fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 3 }), (pairs) => {
                const yaml = pairs.map(([name, each]) => `${name}: ${each}`).join("\n");
                const { meta, problems } = readFrontMatter(`---\n${yaml}\n---\n`);
                if (problems.length === 0) {
                    const values = Object.entries(parse(yaml, { logLevel: "error" }) as Record<string, unknown>);
                    const plain = values.filter(([, each]) => each !== null && typeof each !== "object");
                    assert.deepEqual({ ...meta.values }, Object.fromEntries(plain));
                }
            }),
        );
    });

    it("ignores blank texts, so that a page keeps the title of its first heading", () => {
        const { meta, problems } = readFrontMatter(
            '---\ntitle: ""\nsidebarTitle: "  "\ndescription: >-\n\ntag: A\n---\n',
        );
        const { title, sidebarTitle, description, tag } = meta;
        assert.deepEqual([title, sidebarTitle, description, tag], [undefined, undefined, undefined, "A"]);
        assert.deepEqual(problems, []);
    });

    it("has titles that consist of a mark of YAML as they are written", () => {
        const titles = ["!important", "!important rules", "&more", "!", "!!!"].map(
            (title) => readFrontMatter(`---\ntitle: ${title}\nsidebarTitle: x\n---\n`).meta.title,
        );
        assert.deepEqual(titles, ["!important", "!important rules", "&more", "!", "!!!"]);
    });

    it("reports a key that appears twice", () => {
        const { problems } = readFrontMatter("---\ntitle: One\ntitle: Two\n---\n");
        assert.match(problems[0]?.reason ?? "", /not valid YAML: the key occurs twice/);
    });

    it("is reported if its block has another form or begins below the first line", () => {
        const reason =
            "the title or description is outside of front matter, which begins in the first line with --- alone and " +
            "ends with --- alone";
        for (const [source, line] of [
            ['+++\ntitle = "A"\n+++\nText\n', 2],
            ["\n\n---\nicon: star\ndescription: A\n---\nText\n", 5],
            ['---toml\ntitle = "A"\n---\nText\n', 2],
        ] as const) {
            assert.deepEqual(readFrontMatter(source), { meta: {}, problems: [{ line, reason }] });
        }
        for (const source of [
            "---\n\nText\n\ntitle: A\n",
            "title: A\n",
            "# A\n\n---\n\ntitle: A\n",
            "- - -\ntitle: A\n",
        ]) {
            assert.deepEqual(readFrontMatter(source).problems, [], source);
        }
    });
});
