import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { evaluate } from "@mdx-js/mdx";
import fc from "fast-check";
import remarkGfm from "remark-gfm";
import { withEngine } from "../../../../exporter/src/render/script/script-engine.js";
import { scaled } from "../../../scale.js";
import { renderedPage } from "../../support/rendered-page.js";

const require = createRequire(import.meta.url);
const runtime = require("react/jsx-runtime") as Parameters<typeof evaluate>[1];
const { createElement } = require("react") as { createElement(type: unknown): object };
const { renderToStaticMarkup } = require("react-dom/server") as { renderToStaticMarkup(element: object): string };

/** Expressions, with dollar signs as often as sites have them. */
const expression = fc.constantFrom(
    "{`${1}`}",
    "{`$${n + 1}`}",
    "{`a-${word}`}",
    "{`${n}${n}$`}",
    "{'$' + n}",
    "{$value}",
    "{n * 2}",
    "{list.map((x) => <i key={x}>{`${x}`}</i>)}",
    "{n > 1 ? `${n}` : null}",
    "{/* nothing */}",
);
const inline = fc.oneof(
    { weight: 3, arbitrary: expression },
    { weight: 1, arbitrary: fc.constantFrom("text", "*em*", "`a$b`", "5") },
    {
        weight: 1,
        arbitrary: fc
            .tuple(expression, fc.constantFrom("`${1}`", "`$${n}`", "word", "`${word}${n}`"))
            .map(([inner, title]) => `<b title={${title}}>${inner}</b>`),
    },
);
const line = fc
    .tuple(fc.constantFrom("x ", "Pay "), fc.array(inline, { minLength: 1, maxLength: 4 }), fc.constantFrom("", " "))
    .map(([start, parts, gap]) => start + parts.join(gap));
const block = fc.oneof(
    line,
    line.map((text) => `## ${text}`),
    fc.array(line, { minLength: 1, maxLength: 3 }).map((items) => items.map((item) => `- ${item}`).join("\n")),
    fc.tuple(line, line).map(([one, two]) => `| a | b |\n| - | - |\n| ${one} | ${two} |`),
    line.map((text) => `<section>\n\n${text}\n\n</section>`),
    fc.constantFrom("<Box />", "<Other>inner</Other>", "<Layout>\n\ninner *text*\n\n</Layout>"),
);

/** Components whose JSX has text and blank lines, in the forms that sites export. */
const jsxPart = fc.constantFrom(
    "some text",
    "<b>bold</b>",
    "{`${n}`}",
    "it's",
    "",
    "{list.length}",
    "- item",
    "<hr />",
);
const jsx = fc
    .array(jsxPart, { minLength: 1, maxLength: 6 })
    .map((parts) => `<div>\n${parts.map((part) => (part === "" ? "" : `    ${part}`)).join("\n")}\n  </div>`);
const preamble = fc
    .tuple(jsx, jsx, jsx)
    .map(([box, other, layout]) =>
        [
            "export const n = 3",
            'export const word = "w"\nexport const $value = "v"\nexport const list = ["p", "q"]',
            `export const Box = () => (\n  ${box}\n);`,
            `export function Other({ children }) {\n  const [first] = list;\n\n  return <p>{first}{children}</p>;\n}`,
            `export const Layout = ({ children }) => {\n  const shown = ${other};\n\n  return <>{shown}${layout}{children}</>;\n}`,
        ].join("\n\n"),
    );
const program = fc
    .tuple(preamble, fc.array(block, { minLength: 1, maxLength: 5 }))
    .map(([head, blocks]) => `${head}\n\n${blocks.join("\n\n")}\n`);

async function reacts(source: string): Promise<string> {
    const { default: page } = await evaluate(source, { ...runtime, remarkPlugins: [remarkGfm] });
    return renderToStaticMarkup(createElement(page));
}

/** The tags, titles and text, without what only our pages have: ids, links to headings, boxes around tables. */
function shapeOf(html: string): string {
    return html
        .replace(/<a class="anchor"[^>]*>#<\/a>|<span id="[^"]*"><\/span>/g, "")
        .replace(/<div class="table"[^>]*>(<table>[^]*?<\/table>)<\/div>/g, "$1")
        .replace(/<(\w+)[^>]*?( title="[^"]*")?[^>]*>/g, "<$1$2>")
        .replace(/&#x27;|&#39;/g, "'")
        .replace(/\s*(<\/?(?:p|div|section|ul|li|h2|table|thead|tbody|tr|td|th|hr)\b[^>]*>)\s*/g, "\n$1\n")
        .replace(/\s+/g, " ")
        .trim();
}

describe("A page with code", () => {
    it("shows what MDX and React show of it, for random programs", async function () {
        this.timeout(0);
        await fc.assert(
            fc.asyncProperty(program, async (source) => {
                const { html, warnings } = await withEngine(() => renderedPage("a.mdx", source));
                assert.equal(shapeOf(html), shapeOf(await reacts(source)));
                assert.deepEqual(warnings, []);
            }),
            { numRuns: scaled({ short: 200, long: 1500 }) },
        );
    });
});
