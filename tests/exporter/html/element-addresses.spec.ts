import assert from "node:assert/strict";
import { withExport } from "../support/site-fixture.js";

/** Each element with the address of a file in its place. */
const elements = [
    '<object data="PATH"></object>',
    '<embed src="PATH" />',
    '<img alt="x" srcSet="PATH 2x" />',
    '<video poster="PATH"></video>',
    '<video><source src="PATH" /></video>',
    '<picture><source srcSet="PATH 1x, PATH 2x" /></picture>',
    '<video><track src="PATH" /></video>',
    '<svg><use href="PATH#part" /></svg>',
    '<svg><use xlinkHref="PATH#part" /></svg>',
    '<svg><image href="PATH" /></svg>',
];

const files = (target: string, ending: string) => ({
    "index.md": "# Home",
    "media/plan.svg": '<svg xmlns="http://www.w3.org/2000/svg"><symbol id="part"/></svg>',
    [`guides/page.${ending}`]: `# Page\n\n${elements.map((each, at) => each.replaceAll("PATH", target.replace("NUMBER", String(at)))).join("\n\n")}\n`,
});

for (const ending of ["md", "mdx"]) {
    describe(`An address in an element of a .${ending} page`, () => {
        for (const target of ["/media/plan.svg", "../media/plan.svg"]) {
            it(`leads from the page's folder to the file, below a base path too: ${target}`, async () => {
                await withExport(
                    files(target, ending),
                    async ({ read, warnings }) => {
                        const html = await read("docs/guides/page.html");
                        const found = html.match(/[^" ]*media\/plan\.svg/g) ?? [];
                        assert.deepEqual(new Set(found), new Set(["../media/plan.svg"]));
                        assert.equal(found.length, elements.length + 1);
                        assert.deepEqual(warnings, []);
                    },
                    { basePath: "docs" },
                );
            });
        }

        it("is reported with its line if no file is there", async () => {
            const lines: number[] = [];
            await withExport(files("/media/gone-NUMBER.svg", ending), () => undefined, {
                onWarning: ({ line }) => void lines.push(line ?? 0),
            });
            assert.deepEqual(
                [...new Set(lines)],
                elements.map((_, at) => 3 + 2 * at),
            );
        });
    });
}
