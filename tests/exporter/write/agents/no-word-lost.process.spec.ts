import assert from "node:assert/strict";
import fc from "fast-check";
import { scaled } from "../../../scale.js";
import { withExport } from "../../support/site-fixture.js";

/** Every attribute that a component shows, and how its content is written. */
const shapes: readonly (readonly [name: string, ...attributes: string[]])[] = [
    ["Note", "title"],
    ["Warning", "title"],
    ["Callout", "title"],
    ["Card", "title"],
    ["CardGroup"],
    ["Columns"],
    ["Column"],
    ["Accordion", "title", "description"],
    ["AccordionGroup"],
    ["Expandable", "title"],
    ["Steps"],
    ["Step", "title"],
    ["Tabs"],
    ["Tab", "title"],
    ["View", "title"],
    ["Panel"],
    ["Frame", "caption", "hint"],
    ["ParamField", "path", "type", "default", "pre"],
    ["ResponseField", "name", "type", "post"],
    ["Update", "label", "description", "tags"],
    ["Tooltip", "tip", "headline"],
    ["Badge"],
    ["Visibility"],
    ["div"],
    ["section"],
    ["blockquote"],
    ["Own", "name"],
];

type Tree = readonly [shape: number, layout: number, children: readonly Tree[]];
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.tuple(
        fc.nat(shapes.length - 1),
        fc.nat(5),
        fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie("tree"), { maxLength: 3 })),
    ),
}));

/** Writes pages in which no word occurs twice. */
class Words {
    #count = 0;

    /** A word of letters, because names of fields and links have no others. */
    next(): string {
        this.#count += 1;
        const letters = Array.from(String(this.#count).padStart(6, "0"), (digit) => "bcdfghjklm"[Number(digit)]);
        return `zu${letters.join("")}o`;
    }

    write([shape, layout, children]: Tree, indentation = ""): string {
        const [name, ...attributes] = shapes[shape] as (typeof shapes)[number];
        const values = attributes.map((attribute, at) =>
            layout === 4 && at === 0
                ? ` ${attribute}={text("${this.next()}")}`
                : ` ${attribute}=${layout === 5 ? `{"${this.next()}"}` : `"${this.next()}"`}`,
        );
        const open = `${indentation}<${name}${values.join("")}>`;
        if (layout === 0) {
            const inner = children.length === 0 ? this.next() : children.map((child) => this.#inLine(child)).join("");
            return `${open}${inner}</${name}>`;
        }
        const deeper = `${indentation}  `;
        const texts = [
            `${deeper}${this.next()} **${this.next()}**`,
            `${deeper}- ${this.next()}\n${deeper}- ${this.next()}`,
            `${deeper}{${`words.map((each) => <i>{each + "${this.next()}"} </i>)`}}`,
        ];
        const body = [texts[layout % 3] ?? "", ...children.map((child) => this.write(child, deeper))];
        return `${open}\n${body.join("\n\n")}\n${indentation}</${name}>`;
    }

    #inLine([shape, , children]: Tree): string {
        return this.write([shape, 0, children]);
    }
}

const head = `export const words = ["one"];
export const text = (word) => word;
export const Own = ({ name, children }) => <ul><li>{name}</li><li>{children}</li></ul>;
`;

const wordsOf = (text: string) => new Set(text.match(/zu[bcdfghjklm]{6}o/g));

describe("Every word that a page shows", () => {
    it("is in the page's Markdown and in the search, for random nests of components", async function () {
        this.timeout(600_000);
        const words = new Words();
        const sources = fc
            .sample(fc.array(tree, { minLength: 1, maxLength: 3 }), {
                numRuns: scaled({ short: 300, long: 1500 }),
                seed: 1,
            })
            .map((trees) => `# Page\n\n${head}\n${trees.map((each) => words.write(each)).join("\n\n")}\n`);
        const files = Object.fromEntries(sources.map((source, at) => [`p${at}.mdx`, source]));
        await withExport({ "index.md": "# Home\n\nText.\n", ...files }, async ({ read, searchTexts }) => {
            const search = wordsOf([...(await searchTexts()).values()].join(""));
            const lost: string[] = [];
            let count = 0;
            for (const [at, source] of sources.entries()) {
                const html = await read(`p${at}.html`);
                const article = html.slice(html.search(/<article[ >]/), html.lastIndexOf("</article>"));
                const copy = wordsOf(await read(`p${at}.md`));
                for (const word of wordsOf(article.replace(/<[^>]*>/g, " "))) {
                    count += 1;
                    const places = [copy.has(word) ? "" : "copy", search.has(word) ? "" : "search"].filter(Boolean);
                    if (places.length > 0) {
                        const line = source.split("\n").find((each) => each.includes(word));
                        lost.push(`${word} is not in ${places.join(" and ")}: ${line?.trim()}`);
                    }
                }
            }
            console.log(`      ${count} words on ${sources.length} pages`);
            assert.deepEqual(lost.slice(0, 40), [], `${lost.length} of ${count} words are lost`);
        });
    });
});
