import { strict as assert } from "node:assert";
import hljs from "highlight.js/lib/core";
import javascript from "highlight.js/lib/languages/javascript";
import css from "highlight.js/lib/languages/css";
import php from "highlight.js/lib/languages/php";
import xml from "highlight.js/lib/languages/xml";
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
