import { strict as assert } from "node:assert";
import { createRequire } from "node:module";
import type { HLJSApi, LanguageFn } from "highlight.js";
import {
    codeLanguages,
    languageNamed,
    withInnerLanguages,
} from "../../../../exporter/src/render/code/code-languages.js";
import { highlight } from "../../../../exporter/src/render/code/highlight.js";

describe("Code on a page", () => {
    const coloured = /<span class="hljs-/;

    for (const [language, code] of [
        ["dart", "void main() => print('a');"],
        ["groovy", "def a = 'b'"],
        ["proto", "message A { string b = 1; }"],
        ["cmd", "echo %PATH%"],
        ["jinja", "<p>{% if a %}b{% endif %}</p>"],
        ["curl", "curl -H 'Accept: a' https://example.com"],
        ["vue", "<template><p>a</p></template>"],
        ["ndjson", '{"a": 1}'],
        ["JSON", '{"a": 1}'],
    ] as const) {
        it(`is highlighted in ${language}`, () => {
            assert.match(highlight(code, language), coloured);
        });
    }

    it("is not highlighted in an unknown language", () => {
        assert.equal(highlight("let a < b", "mylang"), "let a &lt; b");
    });

    it("is not highlighted if it contains an unbroken run of a thousand word or white-space characters", () => {
        const lines = (count: number) => `let a${"\n".repeat(count)}let b`;
        assert.match(highlight(lines(999), "haskell"), coloured);
        assert.doesNotMatch(highlight(lines(1000), "haskell"), coloured);
        assert.doesNotMatch(highlight(`let a = ${"b".repeat(1000)}`, "haskell"), coloured);
    });

    it("looks the same in an HTTP message even after code in other languages", () => {
        const body = "\\documentclass{article}\n\\begin{document}\n\\section{a} $b$ % c\n\\end{document}";
        const message = `POST /a HTTP/1.1\nContent-Type: text/x-any\n\n${body}`;
        const before = highlight(message, "http");
        assert.match(highlight(body, "latex"), coloured);
        assert.equal(highlight(message, "http"), before);
    });

    it("is coloured as JSON in an HTTP message with JSON", () => {
        assert.match(
            highlight('POST /a HTTP/1.1\nAccept: b\n\n{"c": null}', "http"),
            /<span class="language-json">.*hljs-attr/,
        );
    });
});

describe("The languages of code", () => {
    const load = createRequire(import.meta.url);
    const common = load("highlight.js/lib/common") as HLJSApi;
    const definitionOf = (language: string) =>
        (load(`highlight.js/lib/languages/${language}`) as LanguageFn)(common.newInstance());

    it("include the library's common languages except plain text", () => {
        const missing = common.listLanguages().filter((language) => languageNamed(language) !== language);
        assert.deepEqual(missing, ["plaintext"]);
    });

    it("support all language names of the library", () => {
        const others = codeLanguages.flatMap((language) =>
            (definitionOf(language).aliases ?? []).filter((alias) => languageNamed(alias) !== language),
        );
        assert.deepEqual(others, []);
    });

    it("load the languages that they embed", () => {
        for (const language of codeLanguages) {
            const brought = withInnerLanguages(language);
            const missing = innerLanguages(definitionOf(language)).filter(
                (inner) => languageNamed(inner) === inner && !brought.has(inner),
            );
            assert.deepEqual(missing, [], language);
        }
    });

    function innerLanguages(mode: unknown, seen = new Set<unknown>()): string[] {
        if (typeof mode !== "object" || mode === null || seen.has(mode)) {
            return [];
        }
        seen.add(mode);
        const { subLanguage = [] } = mode as { subLanguage?: string | string[] };
        return [subLanguage].flat().concat(Object.values(mode).flatMap((inner) => innerLanguages(inner, seen)));
    }
});
