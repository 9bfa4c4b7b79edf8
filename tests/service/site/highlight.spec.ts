import { strict as assert } from "node:assert";
import hljs from "highlight.js/lib/core";
import javascript from "highlight.js/lib/languages/javascript";
import css from "highlight.js/lib/languages/css";
import php from "highlight.js/lib/languages/php";
import xml from "highlight.js/lib/languages/xml";
import { highlight } from "../../../service/src/site/render/highlight.js";
import { HtmlEmitter } from "../../../service/src/site/render/highlight-emitter.js";

const samples = [
    ["javascript", 'class A extends B { go() { return `a ${b < 1} c`; } } // it\'s & "done"'],
    ["xml", '<p class="a">&amp;</p><script>const a = "b";</script><style>p { color: red }</style>'],
    ["php", '<h1><?php function a(int $b): string { return "$b"; } ?></h1>'],
    ["javascript", "const a = <b c={1}>text</b>; /** @param {string} a */ /unclosed"],
] as const;

describe("Highlighting", () => {
    const own = hljs.newInstance();
    const library = hljs.newInstance();
    own.configure({ __emitter: HtmlEmitter });
    for (const instance of [own, library]) {
        for (const [name, language] of Object.entries({ javascript, css, php, xml })) {
            instance.registerLanguage(name, language);
        }
    }

    for (const [language, code] of samples) {
        it(`writes ${language} as the library itself does: ${code.slice(0, 20)}…`, () => {
            const expected = library.highlight(code, { language }).value;
            // An apostrophe between tags may stay as it is.
            assert.equal(own.highlight(code, { language }).value, expected.replaceAll("&#x27;", "'"));
            assert.match(expected, /<span class="hljs-/);
        });
    }
});

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
    ] as const) {
        it(`is highlighted in ${language}`, () => {
            assert.match(highlight(code, language), coloured);
        });
    }

    it("stays plain in a language that nobody knows", () => {
        assert.equal(highlight("let a < b", "mylang"), "let a &lt; b");
    });

    it("stays plain with a word, or with space, of a thousand characters", () => {
        const lines = (count: number) => `let a${"\n".repeat(count)}let b`;
        assert.match(highlight(lines(999), "haskell"), coloured);
        assert.doesNotMatch(highlight(lines(1000), "haskell"), coloured);
        assert.doesNotMatch(highlight(`let a = ${"b".repeat(1000)}`, "haskell"), coloured);
    });

    it("of an HTTP message looks alike whatever languages came before", () => {
        const body = "\\documentclass{article}\n\\begin{document}\n\\section{a} $b$ % c\n\\end{document}";
        const message = `POST /a HTTP/1.1\nContent-Type: text/x-any\n\n${body}`;
        const before = highlight(message, "http");
        assert.match(highlight(body, "latex"), coloured);
        assert.equal(highlight(message, "http"), before);
    });
});
