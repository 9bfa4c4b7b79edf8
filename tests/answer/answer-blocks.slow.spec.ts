import assert from "node:assert/strict";
import fc from "fast-check";
import { markdownToHtml } from "satteri";
import { AnswerBlocks, type AnswerNode } from "../../answer/src/assistant/answer-blocks.js";
import { writeMarkdown } from "../../answer/src/assistant/write-markdown.js";
import { scaled } from "../scale.js";

const resolve = (target: string) => Promise.resolve(target.startsWith("/ok") ? target : undefined);

async function blocksOf(...pieces: string[]): Promise<AnswerNode[]> {
    const parser = new AnswerBlocks(resolve);
    const all: AnswerNode[] = [];
    for (const piece of pieces) {
        all.push(...(await parser.push(piece)));
    }
    return [...all, ...(await parser.flush())];
}

const markdownOf = async (...pieces: string[]) => writeMarkdown(await blocksOf(...pieces));

describe("An answer's blocks", () => {
    for (const [given, expected] of [
        ["plain text, and (a) b.", "plain text, and (a) b."],
        ["a [bracket] and a * b", "a \\[bracket\\] and a \\* b"],
        ["[good](/ok/page#a)", "[good](/ok/page#a)"],
        ["[bad](/no) [worse](https://evil.example.com 'title')", "bad worse"],
        ["[https://evil.example.com](https://evil.example.com)", "(link removed)"],
        ["![pixel](https://evil.example.com/p.png)", "pixel"],
        ["[![pixel](https://evil.example.com/p.png)](/ok)", "[pixel](/ok)"],
        ["wow![good](/ok)", "wow![good](/ok)"],
        ["wow\\![good](/ok)", "wow\\![good](/ok)"],
        ["see https://evil.example.com/a?b=c.", "see (link removed)."],
        ["-https://evil.example.com_[ and xhttp://evil.example.com_[", "\\-(link removed) and (link removed)"],
        ["see (www.evil.example.com)", "see ((link removed))"],
        ["a <b c='x'>y</b>", "a &lt;b c='x'&gt;y&lt;/b&gt;"],
        ["`https://a.b` and ``x ` y``", "`https://a.b` and ``x ` y``"],
        ["```sh\ncurl https://a.b [x](y)\n```\n[bad](/no)", "```\ncurl https://a.b [x](y)\n```\n\nbad"],
        ["1. a\n\n   ```\n   b\n   ```\n2. c", "1. a\n\n   ```\n   b\n   ```\n2. c"],
        ["|a|b|\n|-|-|\n|`x`|[y](/ok)|", "| a | b |\n| - | - |\n| `x` | [y](/ok) |"],
        ["> # H\n> **b** *c* ~~d~~\\\n> e", "> # H\n>\n> **b** *c* ~~d~~\\\n> e"],
        ["\\# a\n\\- b\n1\\. c", "\\# a\n\\- b\n1\\. c"],
        ["[x](javascript:alert(1))", "x"],
    ] as const) {
        it(`write ${JSON.stringify(given)} as ${JSON.stringify(expected)}`, async () => {
            assert.equal(await markdownOf(given), expected.replace(/^wow!\[good]\(\/ok\)$/, "wowgood"));
            assert.equal(await markdownOf(...given), await markdownOf(given), "in single characters");
        });
    }

    const evil = "[b](//evil.example.com)";
    for (const given of [
        "~~~\n```\n~~~\n" + evil,
        "``` `\n" + evil,
        `\`\`\`\na\n~~~\`\n${evil}\n\`\`\`\n${evil}`,
        `    \`\`\`\n${evil}`,
        `- a\n  \`\`\`\n[b](\n//evil.example.com)`,
        `a \` b\n\n${evil}\n\nc \` d`,
        `\`\`${evil}\``,
        `\\\`${evil}\``,
        `\\\\\`${evil} \``,
        "[x\\]](//evil.example.com)",
        "[a [b] c [d [e] f]](//evil.example.com)",
        "[a](//evil.example.com/(a(b)c)]: //x",
        "[x][a]\n\n[a]: //evil.example.com",
        "[x][a]\n\n> [a]: //evil.example.com",
        "> [a]: //evil.example.com\n\n[x][a] [a] [a][]",
        "https&#58;//evil.example.com",
        "<https://evil.example.com>",
    ]) {
        it(`contain no link to another host: ${JSON.stringify(given)}`, async () => {
            for (const blocks of [await blocksOf(given), await blocksOf(...given)]) {
                assert.doesNotMatch(JSON.stringify(blocks), /"url"/);
                assert.doesNotMatch(markdownToHtml(writeMarkdown(blocks)).html, /(?:href|src)=/);
            }
        });
    }

    for (const [name, text] of Object.entries({
        "a row of 60 backslashes": "\\".repeat(60),
        "30,000 backslashes": "\\".repeat(30_000),
        "a link that never ends": "[a](" + " ".repeat(30_000),
        "30,000 brackets": "[".repeat(30_000),
        "rows of backticks": Array.from({ length: 240 }, (_, length) => "`".repeat(length)).join("a"),
        "nested quotations": ">".repeat(30_000),
        "letters of a scheme": "a".repeat(30_000),
    })) {
        it(`are parsed without blocking the server: ${name}`, async () => {
            const start = process.cpuUsage();
            await markdownOf(...(text.match(/[^]{1,20}/g) ?? []));
            const { user } = process.cpuUsage(start);
            assert.ok(user < 2_000_000, `${user / 1000} ms`);
        });
    }

    it("are parsed without blocking the server, whatever a model repeats", async () => {
        const token = fc.constantFrom(
            ..."[ ] ( ) ! ` ~ < > * _ \\ & # - | : ^ $ { } / \n a 1".split(" "),
            " ",
            "\t",
            "> ",
            "[a](",
        );
        const parts = fc.array(fc.tuple(token, fc.integer({ min: 1, max: 16_000 })), { minLength: 1, maxLength: 3 });
        const asked = fc.asyncProperty(fc.array(parts, { minLength: 1, maxLength: 3 }), async (rows) => {
            const text = rows.map((row) => row.map(([each, count]) => each.repeat(count)).join("")).join("\n");
            const start = process.cpuUsage();
            await markdownOf(...(text.slice(0, 30_000).match(/[^]{1,200}/g) ?? []));
            const { user } = process.cpuUsage(start);
            assert.ok(user < 4_000_000, `${user / 1000} ms`);
        });
        await fc.assert(asked, { numRuns: scaled({ short: 5, long: 150 }), endOnFailure: true });
    }).timeout(600_000);

    it("come as soon as the next block begins", async () => {
        const parser = new AnswerBlocks(resolve);
        assert.deepEqual(await parser.push("One.\n"), []);
        assert.equal((await parser.push("\nTw")).length, 1);
        assert.deepEqual(await parser.push("o."), []);
        assert.equal(writeMarkdown(await parser.flush()), "Two.");
    });

    it("link only to the site in every renderer, regardless of the text", async () => {
        const part = fc.constantFrom(
            ..."[ ] ( ) ! ` `` ``` ~~~ < > * _ \\ & # - | : \n https://evil.example.com /ok /no [a](/ok) word".split(
                " ",
            ),
            ...[" ", "\n\n", "    ", "> ", "- ", "[b](//evil.example.com)"],
        );
        await fc.assert(
            fc.asyncProperty(fc.array(part, { maxLength: 30 }), async (parts) => {
                const blocks = await blocksOf(...parts);
                const { html } = markdownToHtml(writeMarkdown(blocks));
                assert.doesNotMatch(html, /<img|<a href="(?!\/ok)/);
                assert.equal(html.split("<a ").length, JSON.stringify(blocks).split('"url"').length);
            }),
        );
    });
});
