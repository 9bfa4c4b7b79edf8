import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { english, translatedLanguages, type Words } from "../../../exporter/src/words/words.js";
import { withExport, type Files } from "../support/site-fixture.js";

function wordsOf(language: string): Words {
    const file = new URL(`../../../exporter/words/${language}.json`, import.meta.url);
    return JSON.parse(readFileSync(file, "utf8")) as Words;
}

const fr = wordsOf("fr");

/** The author's text contains no letters, so that all letters on a page belong to the interface. */
const page = `---
title: "1"
lastUpdatedDate: 2026-11-20
deprecated: true
rss: true
related: [/fr/2]
---

> [!NOTE]
> 1

${["Note", "Tip", "Info", "Check", "Warning", "Danger"].map((name) => `<${name}>1</${name}>`).join("\n\n")}

<Accordion>1</Accordion>

<Expandable>1</Expandable>

<Tree>1</Tree>

| 1 | 2 |
| --- | --- |
| 1 | 2 |

- [ ] 1

## 2

1

## 3

<Update label="1">1</Update>
`;

/** These components are on a separate page, because they replace the table of contents. */
const besideText = `<Panel>1</Panel>

<RequestExample>
\`\`\`txt 1
1
\`\`\`
</RequestExample>
`;

const languages = [
    {
        language: "fr",
        tabs: [
            { tab: "1", pages: ["fr/1", "fr/2"] },
            { tab: "2", pages: ["fr/3"] },
        ],
    },
    { language: "en", pages: ["en/1"] },
];
const site: Files = {
    "docs.json": JSON.stringify({
        name: "1",
        metadata: { timestamp: true },
        navigation: {
            versions: [
                { version: "1", languages },
                { version: "2", pages: ["4"] },
            ],
        },
    }),
    "fr/1.mdx": page,
    "fr/3.mdx": besideText,
    ...Object.fromEntries(["fr/2", "en/1", "4"].map((route) => [`${route}.md`, "# 1\n"])),
};

/** Returns the visible and spoken text of a page: content and labels that contain letters. */
function textsOf(html: string): string[] {
    const [, body = ""] = /<body>([\s\S]*)<\/body>/.exec(html) ?? [];
    const shown = [...body.matchAll(/>([^<]+)</g), ...body.matchAll(/ (?:aria-label|title|placeholder)="([^"]*)"/g)];
    return [...new Set(shown.map(([, text = ""]) => text.replace(/[\d:/\s]+$|^[\d\s]+/g, "").trim()))].filter((text) =>
        /\p{L}/u.test(text),
    );
}

describe("the words of the interface", () => {
    it("are all in the language of the page", async () => {
        await withExport(site, async ({ read }) => {
            const known = new Set(Object.values(fr).map((text) => text.replace(/[:\s]+$/, "")));
            const html = await read("fr/1.html");
            const names = ["français", "English", "novembre"];
            assert.deepEqual(
                [html, await read("fr/3.html")]
                    .flatMap(textsOf)
                    .filter((text) => !known.has(text) && !names.includes(text)),
                [],
            );
            for (const text of [fr.onThisPage, fr.copy, fr.next, fr.check, fr.changed, fr.search, fr.skip]) {
                assert.ok(html.includes(text), text);
            }
            assert.match(html, /<html lang="fr"/);
            assert.match(await read("404.html"), /<html lang="fr" [\s\S]*<h1[^>]*>Page introuvable<\/h1>/);
        });
    });

    it("are English, and are not sent to scripts, if the language is unknown", async () => {
        await withExport({ "a.md": "---\nlang: tlh\n---\n> [!NOTE]\n> 1\n" }, async ({ read }) => {
            const html = await read("a.html");
            assert.match(html, /<html lang="tlh"[\s\S]*Skip to content[\s\S]*>Note</);
            assert.ok(!html.includes("data-words") && !html.includes("\x01"));
        });
    });

    const places: [string, string, Files, string][] = [
        ["its front matter", "a.md", { "a.md": "---\nlang: pt-BR\n---\n# 1\n" }, "pt-BR"],
        ["a folder beside the same page in English", "de/a.md", { "de/a.md": "", "en/a.md": "" }, "de"],
        ["a folder beside the same page without one", "fr/index.md", { "fr/index.md": "", "index.md": "" }, "fr"],
        ["no folder that only has the name of a language", "it/a.md", { "it/a.md": "", "b.md": "" }, "en"],
    ];
    for (const [what, file, files, language] of places) {
        it(`follow the language that a page sets by ${what}`, async () => {
            await withExport(files, async ({ read }) => {
                assert.match(
                    await read(file === "fr/index.md" ? "fr.html" : file.replace(/\.md$/, ".html")),
                    new RegExp(`<html lang="${language}"`),
                );
            });
        });
    }

    it("run from right to left in right-to-left languages", async () => {
        await withExport({ "ar/a.md": "", "a.md": "" }, async ({ read }) => {
            assert.match(await read("ar/a.html"), /<html lang="ar" dir="rtl"/);
        });
    });

    it("are complete in more than twenty languages", () => {
        assert.ok(translatedLanguages().length > 20);
        for (const language of translatedLanguages()) {
            const words = wordsOf(language);
            const missing = (Object.keys(english) as (keyof Words)[]).filter((name) => !words[name]);
            assert.deepEqual([language, missing], [language, []]);
        }
    });

    it("include the words that the page scripts use", async () => {
        const sources = ["search", "site", "openers", "update-filter", "views"].map((name) =>
            readFile(new URL(`../../../exporter/theme/${name}.js`, import.meta.url), "utf8"),
        );
        const used = (await Promise.all(sources)).flatMap((source) =>
            [...source.matchAll(/\bwords\.(\w+)/g)].map(([, name]) => name as keyof Words),
        );
        await withExport(site, async ({ read }) => {
            const [, json = ""] = / data-words="([^"]*)"/.exec(await read("fr/1.html")) ?? [];
            const sent = JSON.parse(json.replaceAll("&quot;", '"').replaceAll("&amp;", "&")) as Words;
            for (const name of used.filter((each) => String(each) !== "searchIn")) {
                assert.equal(sent[name], fr[name], name);
            }
        });
    });
});
