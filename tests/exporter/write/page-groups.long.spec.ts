import assert from "node:assert/strict";
import { appendFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { type Files, withRepeatedExports, type RepeatedExports, writeFiles } from "../support/site-fixture.js";
import { scaled } from "../../scale.js";

const numRuns = scaled({ short: 1, long: 8 });

const pageCount = 70;
/** Also the home page and the page of an operation. */
const allPages = pageCount + 2;
const fileOf = (page: number) => `part-${page % 4}/page-${page}.mdx`;
const sourceOf = (page: number, text = "Text.") =>
    [
        `---\ntitle: Page ${page}\ndescription: About ${page}\n---`,
        'import Part from "/snippets/part.mdx"',
        `## Section ${page}\n\n${text}`,
        `[next](/part-${(page + 1) % 4}/page-${page + 1}#section-${page + 1}) [gone](/missing-${page % 9})`,
        ...(page % 10 === 0 ? ["<Part/>", "![picture](/picture.svg)", '<div className="text-red-500">red</div>'] : []),
        ...(page % 15 === 7 ? ["```mermaid\ngraph TD; a-->b\n```"] : []),
    ].join("\n\n");
const api = (summary: string) => ({
    openapi: "3.1.0",
    info: { title: "API", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: { "/pets": { get: { summary, responses: { 200: { description: "All" } } } } },
});
const pages = Array.from({ length: pageCount }, (_, page) => fileOf(page));
const settings = (name: string, routes: readonly string[]) =>
    JSON.stringify({ name, navigation: { pages: [...routes, { group: "API", openapi: "/api.json" }] } });
const routes = pages.map((file) => file.replace(".mdx", ""));
const site: Files = {
    ...Object.fromEntries(pages.map((file, page) => [file, sourceOf(page)])),
    "index.md": "# Home",
    "snippets/part.mdx": "A part.",
    "picture.svg": '<svg width="10" height="20"></svg>',
    "api.json": JSON.stringify(api("List pets")),
    "docs.json": settings("Site", ["index", ...routes]),
};

/** Changes a site, or the site's page with this number, as an author would. */
type Edit = (sourceDir: string, page: number, text: string) => Promise<void>;

const write = (file: string, content: string): Edit => {
    return (sourceDir) => writeFiles(sourceDir, { [file]: content });
};
const writePage = (sourceOfPage: (page: number, text: string) => string): Edit => {
    return (sourceDir, page, text) => writeFiles(sourceDir, { [fileOf(page)]: sourceOfPage(page, text) });
};

const edits: Readonly<Record<string, Edit>> = {
    "a page's text": writePage(sourceOf),
    "text at a page's end": (sourceDir, page, text) => appendFile(join(sourceDir, fileOf(page)), `\n\n${text}\n`),
    "a page's title": writePage((page, text) => sourceOf(page).replace(`title: Page ${page}`, `title: ${text}`)),
    "a page's icon": writePage((page) => sourceOf(page).replace("---\n", "---\nicon: no-such-icon\n")),
    "a hidden page": writePage((page) => sourceOf(page).replace("---\n", "---\nhidden: true\n")),
    "a heading that others link to": writePage((page) => sourceOf(page).replace("## Section", "## Part")),
    "an empty page": writePage((page) => `---\ntitle: Page ${page}\n---\n\n<div></div>\n`),
    "an imported page": writePage(
        (page, text) => `import Other from "/${fileOf((page + 5) % pageCount)}"\n\n<Other/>${text}`,
    ),
    "a removed page": (sourceDir, page) => rm(join(sourceDir, fileOf(page)), { force: true }),
    "a new page": (sourceDir, page, text) => writeFiles(sourceDir, { [`new-${page}.md`]: `# ${text}` }),
    "an imported file": (sourceDir, _, text) => write("snippets/part.mdx", text)(sourceDir, 0, ""),
    "a picture": (sourceDir, page) =>
        write("picture.svg", `<svg width="${page + 1}" height="9"></svg>`)(sourceDir, 0, ""),
    "the API": (sourceDir, _, text) => write("api.json", JSON.stringify(api(text)))(sourceDir, 0, ""),
    "the site's name": (sourceDir, _, text) =>
        write("docs.json", settings(text, ["index", ...routes]))(sourceDir, 0, ""),
    "the order of the navigation": (sourceDir, page) =>
        write("docs.json", settings("Site", ["index", ...routes.slice(page), ...routes.slice(0, page)]))(
            sourceDir,
            0,
            "",
        ),
    nothing: () => Promise.resolve(),
};

/** Removes undefined properties. */
const asStored = (warnings: object): unknown => JSON.parse(JSON.stringify(warnings));

/** Exports with and without the cache. @returns the pages that were written, not only read */
async function exportAgain({ again }: Pick<RepeatedExports, "again">): Promise<string[]> {
    const met: string[] = [];
    const onPage = (file: string | undefined) => void (file !== undefined && met.push(file));
    // Progress begins when all pages are read.
    const onProgress = ({ pagesDone }: { readonly pagesDone: number }) => void (pagesDone === 0 && met.splice(0));
    const places: [string[], string[]] = [[], []];
    const pushTo = (list: string[]) => (warning: object) => void list.push(JSON.stringify(warning));
    const { kept, fresh } = await again(
        { onPage, onProgress, onWarning: pushTo(places[0]) },
        { onWarning: pushTo(places[1]) },
    );
    assert.deepEqual(asStored(kept.warnings), asStored(fresh.warnings));
    assert.deepEqual(kept.warningCounts, fresh.warningCounts);
    assert.deepEqual([...places[0]].sort(), [...places[1]].sort());
    return met;
}

describe("An export after edits to its site", function () {
    this.timeout(numRuns * 180_000);

    it("has the same bytes and warnings as a full export", async () => {
        const edit = fc.record({
            kind: fc.constantFrom(...Object.keys(edits)),
            page: fc.nat(pageCount - 1),
            text: fc.stringMatching(/^[A-Z][a-z]{2,9}( [a-z]{2,9}){0,3}$/),
        });
        const sequences = fc.array(edit, { minLength: 5, maxLength: 5 });
        await fc.assert(
            fc.asyncProperty(sequences, async (sequence): Promise<void> => {
                await withRepeatedExports(site, async ({ again, sourceDir }) => {
                    await exportAgain({ again });
                    for (const { kind, page, text } of sequence) {
                        await edits[kind]?.(sourceDir, page, text);
                        await exportAgain({ again });
                    }
                });
            }),
            { numRuns, endOnFailure: true },
        );
    });

    it("writes only the group of pages that contains a page with changed text", async () => {
        await withRepeatedExports(site, async ({ again, sourceDir }) => {
            assert.equal((await exportAgain({ again })).length, allPages);
            await writeFiles(sourceDir, { [fileOf(3)]: sourceOf(3, "Other text.") });
            const written = await exportAgain({ again });
            assert.ok(written.includes(fileOf(3)) && written.includes(fileOf(20)), written.join(" "));
            assert.ok(!written.includes(fileOf(40)) && !written.includes(fileOf(69)), written.join(" "));
        });
    });

    it("writes all pages after a title change, because other pages show the title", async () => {
        await withRepeatedExports(site, async ({ again, sourceDir }) => {
            await exportAgain({ again });
            const path = join(sourceDir, fileOf(3));
            await writeFile(path, (await readFile(path, "utf8")).replace("title: Page 3", "title: Third"));
            assert.equal((await exportAgain({ again })).length, allPages);
        });
    });
});
