import assert from "node:assert/strict";
import { markdownToHtml } from "satteri";
import { renderJson } from "../../../cli/src/report/write-report.js";
import { renderMarkdown } from "../../../cli/src/report/markdown.js";
import { logAnd, logWith } from "./support/events.js";
import { markdownOf, readFixture, reportOf } from "./support/golden.js";

/** Hostile names of resources, versions or rules that try to inject text into the comment. */
const hostile = {
    "a table cell": "a | **approved** | b",
    "an escaped table cell": "a \\| b \\\\| c",
    "a code span": "a` **approved** `b",
    "a heading": "x\n\n# Approved\n\n",
    "a command of GitLab": "x\n/approve\n/merge",
    "a mention": "@octo-org/owners",
    "a reference": "fixes #1 GH-2 !3 octo/repo#4",
    "a link": "[sign in](https://evil.example/) https://evil.example/ www.evil.example",
    "an image": "![x](https://evil.example/pixel.png)",
    "an element": '<img src=x onerror=alert(1)><script>alert(1)</script></code></td></table><a href="//evil.example">',
    "a comment": "<!-- static-export-preview 00 --> x -->",
    "terminal sequences": "\u001b[31mred\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007\u001b[0m",
    "direction marks": "abc\u202Edetcepxe\u2066\u200f",
    "invisible characters": "a\u200b\u00ad\ufeff\u{e0041}b\u0000\u0008",
    "piled marks": `z${"\u0317".repeat(40)}`,
    "a fence": "```\n# Approved\n~~~",
    "nothing but spaces": "   ",
};

const domain = "docs.example.com";
const texts = Object.entries(hostile);

describe("The preview report with hostile text", () => {
    for (const [what, text] of texts) {
        it(`escapes ${what} in a name, a version, a domain, a rule's message and an error`, async () => {
            const replaced = (value: string): string =>
                value === "2" || value === domain ? text : value.replaceAll("::docs", `::${text}`);
            assertPlain(await markdownOf(await logWith("version", replaced)));
            const failed = await logAnd(
                "version",
                { policyEvent: { policyName: text, policyPackName: text, message: text, severity: text } },
                { diagnosticEvent: { severity: "error", urn: `urn:pulumi:dev::e2e::a:b:c::${text}`, message: text } },
                { diagnosticEvent: { severity: "warning", message: text } },
            );
            assertPlain(await markdownOf(failed));
        });
    }

    it("escapes text in the names of the project, the stack and the folder, and in the commit", async () => {
        for (const [, text] of texts) {
            const { report, clean } = await reportOf(await readFixture("version"));
            const named = { ...report, project: text, stack: text, outputs: [text] };
            assertPlain(renderMarkdown(named, clean, { commit: text, folder: text }));
            assertPlain(renderMarkdown({ ...named, outcome: "unchanged" }, clean, { commit: text, folder: text }));
        }
    });

    it("shows invisible characters as their code points", async () => {
        const markdown = await markdownOf(await logAnd("nothing", warning("abc\u202Edef\u200b")));
        assert.doesNotMatch(markdown, /\u202e|\u200b/);
        const failed = await markdownOf(await logAnd("nothing", error("abc\u202Edef\u200b")));
        assert.match(failed, /abc\\u\{202e\}def\\u\{200b\}/);
    });

    it("leaves text unescaped in JSON, but shows invisible characters as code points", async () => {
        const { report, clean } = await reportOf(await logAnd("nothing", error("a|`b` \u001b[31m\u202e")));
        const { errors } = JSON.parse(renderJson(report, clean, {})) as { errors: { message: string }[] };
        assert.equal(errors[0]?.message, "a|`b` \\u{202e}");
    });
});

function error(message: string): object {
    return { diagnosticEvent: { severity: "error", message } };
}

function warning(message: string): object {
    return { diagnosticEvent: { severity: "warning", message } };
}

/** The HTML elements of a report. */
const ownElements = /^(?:h3|h4|p|table|thead|tbody|tr|th|td|code|pre|strong|sub|details|summary|br)$/;

/** Fails if the rendered report contains foreign elements, or a table row with more cells than the header. */
function assertPlain(markdown: string): void {
    const html = render(markdown);
    const elements = [...html.matchAll(/<\/?([a-z][\w-]*)/gi)].map(([, name = ""]) => name);
    assert.deepEqual(
        elements.filter((name) => !ownElements.test(name)),
        [],
        markdown,
    );
    for (const [, table = ""] of html.matchAll(/<table>([^]*?)<\/table>/g)) {
        const cells = [...table.matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row = ""]) => row.match(/<t[hd]/g)?.length);
        assert.equal(new Set(cells).size, 1, markdown);
    }
    const outsideCode = html.replace(/<(code|pre)[ >][^]*?<\/\1>/g, "");
    assert.doesNotMatch(outsideCode, /@octo|#\d|evil|approved|Approved/, markdown);
    // GitLab runs commands at the beginning of a line.
    assert.doesNotMatch(markdown, /^\/\w/m);
    assert.doesNotMatch(markdown, /[^\P{C}\n]|\u202e/u);
}

function render(markdown: string): string {
    return markdownToHtml(markdown).html;
}
