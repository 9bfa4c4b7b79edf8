import assert from "node:assert/strict";
import fc from "fast-check";
import { markdownToHtml } from "satteri";
import { LinkFilter } from "../../answer/src/assistant/link-filter.js";

const resolve = (target: string) => Promise.resolve(target.startsWith("/ok") ? target : undefined);

async function filtered(...pieces: string[]): Promise<string> {
    const filter = new LinkFilter(resolve);
    let text = "";
    for (const piece of pieces) {
        text += await filter.push(piece);
    }
    return text + (await filter.flush());
}

describe("Links in an answer", () => {
    for (const [given, expected] of [
        ["plain text, a [bracket] and a * b", "plain text, a [bracket] and a * b"],
        ["[good](/ok/page#a)", "[good](/ok/page#a)"],
        ["[bad](/no) [worse](https://evil.example.com 'title')", "bad worse"],
        ["[https://evil.example.com](https://evil.example.com)", "(link removed)"],
        ["![pixel](https://evil.example.com/p.png)", "pixel"],
        ["[![pixel](https://evil.example.com/p.png)](/ok)", "[pixel](/ok)"],
        ["see https://evil.example.com/a?b=c.", "see (link removed)."],
        ["see (www.evil.example.com)", "see ((link removed))"],
        ["<https://evil.example.com>", "&lt;(link removed)>"],
        ["<a href='x'>y</a>", "&lt;a href='x'>y&lt;/a>"],
        ["`https://a.b` and ``x ` y``", "`https://a.b` and ``x ` y``"],
        ["```sh\ncurl https://a.b [x](y)\n```\n[bad](/no)", "```sh\ncurl https://a.b [x](y)\n```\nbad"],
        ["- a\n  ```\n  https://a.b\n  ```\n- https://a.b", "- a\n  ```\n  https://a.b\n  ```\n- (link removed)"],
        ["an open [bracket", "an open [bracket"],
        ["an open `tick https://a.b", "an open `tick (link removed)"],
        ["```https://a.b`", "```(link removed)`"],
        ["see //evil.example.com/a, and a // b", "see (link removed), and a // b"],
        ["[a]: https://evil.example.com", "[a]: (link removed)"],
        ["[x](javascript:alert(1))", "x"],
    ] as const) {
        it(`turn ${JSON.stringify(given)} into ${JSON.stringify(expected)}`, async () => {
            assert.equal(await filtered(given), expected);
            assert.equal(await filtered(...given), expected, "in single characters");
        });
    }

    // Renderers have more rules than the filter about where code ends.
    const evil = "[b](//evil.example.com)";
    for (const given of [
        `~~~\n\`\`\`\n~~~\n${evil}`,
        `\`\`\` \`\n${evil}`,
        `    \`\`\`\n${evil}`,
        `- a\n  \`\`\`\n${evil}`,
        `- a\n  \`\`\`\n[b](\n//evil.example.com)`,
        `a \` b\n\n${evil}\n\nc \` d`,
        `\`\`${evil}\``,
        `\`\`\`${evil}\``,
        "``https://evil.example.com`",
        `\\\`${evil}\``,
        "[x\\]](//evil.example.com)",
        "[a [b] c [d [e] f]](//evil.example.com)",
        "[a](//evil.example.com/(a(b)c))",
        "[a](//evil.example.com/(a(b)c)]: //x",
        "[a]![(//evil.example.com)](x)",
        "[x][a]\n\n[a]: //evil.example.com",
        "[x][a]\n\n[a]://evil.example.com/]:y",
        "~~~\n```\n~~~\n\n[a]: //evil.example.com\n\n[x][a]",
        "~~~\n```\n~~~\n\n[a]:\n//evil.example.com\n\n[x][a]",
        "https&#58;//evil.example.com",
        "[x][a]\n\n[a]:\nhttps&#58;//evil.example.com",
    ]) {
        it(`are inactive in text that any renderer could treat as code: ${JSON.stringify(given)}`, async () => {
            for (const output of [await filtered(given), await filtered(...given)]) {
                const { html } = markdownToHtml(output);
                assert.doesNotMatch(html, /(?:href|src)=/);
            }
        });
    }

    const address = "https://evil.example.com";
    for (const given of [
        `a \` ${address}\n\nb \` c`,
        `a \` b\n- ${address} \` c`,
        `a \` b\nc \` ${address} \` d`,
        `a \` b\n\u00a0\nc \` ${address} \` d`,
        `\\\` ${address} \``,
        `[\`](/ok) \`${address}\``,
        `![\`](/ok) \`${address}\``,
        `~~~\n\`\`\`\n~~~\n${address}`,
        `\`\`\`\n   \`\`\`\n${address}`,
        `\`\`\`\`\n\`\`\`\n\`\`\`\`\n${address}`,
        `- a\n  \`\`\`\n${address}`,
        `- \`\`\`\n  a\n  \`\`\`\n  ${address}`,
        `- a\n     \`\`\`\n   \`\`\`\n   ${address}`,
        `    \`\`\`\n${address}`,
        `\`\`\`\r${address}`,
        `\`\`\`\na\r\`\`\`\r${address}`,
    ]) {
        it(`contain no address where a renderer sees the end of code: ${JSON.stringify(given)}`, async () => {
            for (const output of [await filtered(given), await filtered(...given)]) {
                assert.doesNotMatch(markdownToHtml(output).html, /href="https/, output);
            }
        });
    }

    it("stay unchanged in code blocks and inline code", async () => {
        for (const given of [
            `\`\`\`sh\ncurl ${address}\n\`\`\`\n\nor \`curl ${address}\`, or\n\n~~~\n${address}\n~~~\n`,
            `1. Run:\n\n   \`\`\`sh\n   curl ${address}\n   \`\`\`\n\n2. Wait.\n`,
        ]) {
            assert.equal(await filtered(given), given);
            assert.equal(await filtered(...given), given);
        }
    });

    it("are the same regardless of how the text is split into chunks, and never leave the site", async () => {
        const part = fc.constantFrom(
            ..."[ ] ( ) ! ` `` ``` ~~~ < > \n https://evil.example.com /ok /no [a](/ok) [b](//evil.example.com) word".split(
                " ",
            ),
            " ",
        );
        const cut = fc.array(fc.tuple(part, fc.boolean()), { maxLength: 30 });
        await fc.assert(
            fc.asyncProperty(cut, async (parts) => {
                const whole = parts.map(([text]) => text).join("");
                const pieces = parts.reduce<string[]>((all, [text, isNew]) => {
                    return isNew || all.length === 0 ? [...all, text] : [...all.slice(0, -1), all.at(-1)! + text];
                }, []);
                const expected = await filtered(whole);
                assert.equal(await filtered(...pieces), expected);
                const { html } = markdownToHtml(expected);
                assert.doesNotMatch(html, /<img|<a href="(?!\/ok)([^"%]*)[^"]*">(?!\1)/, expected);
                assert.doesNotMatch(expected, /\]\(\s*(?:\/no|https?:|\/\/)(?![^`]*`)/);
            }),
        );
    });
});
