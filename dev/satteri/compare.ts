/** Compares the native parser with the reference, on the Markdown and MDX pages in folders. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as native from "satteri";
import { parsePage } from "../../exporter/src/read/markdown/parse-page.js";
import { blankLineFiller } from "../../exporter/src/read/markdown/whole-exports.js";
import * as reference from "../../tests/exporter/support/reference-parser.js";
import { shapeOf } from "../../tests/exporter/support/tree-shape.js";

const options = { features: { headingAttributes: true } };
const most = 200;

/** The trees of a page by both parsers; MDX in the text that the exporter's rewrites left for the parser. */
function shapesOf(source: string, isMdx: boolean): readonly [actual: string, expected: string] {
    const { mdx } = parsePage(source, isMdx);
    if (mdx === undefined) {
        return [shapeOf(native.markdownToHast(source, options)), shapeOf(reference.markdownToHast(source, options))];
    }
    const { text, restore } = mdx;
    const actual = restore(shapeOf(native.mdxToHast(text, options))).replace(/ +/g, " ");
    try {
        return [
            actual,
            restore(shapeOf(reference.mdxToHast(text.replaceAll(blankLineFiller, ""), options))).replace(/ +/g, " "),
        ];
    } catch (error) {
        return [actual, String(error)];
    }
}

let pages = 0;
let different = 0;
for (const folder of process.argv.slice(2)) {
    for (const file of globSync("**/*.{md,mdx}", { cwd: folder })) {
        const [actual, expected] = shapesOf(
            readFileSync(join(folder, file), "utf8")
                .replace(/^\uFEFF/, "")
                .replaceAll("\r\n", "\n"),
            file.endsWith(".mdx"),
        );
        pages += 1;
        if (actual !== expected) {
            different += 1;
            const at = [...actual].findIndex((letter, index) => letter !== expected[index]);
            const from = Math.max(0, at - most / 2);
            console.log(`${file}\n  ${actual.slice(from, at + most)}\n  ${expected.slice(from, at + most)}`);
        }
    }
}
console.log(`${different} of ${pages} pages differ`);
