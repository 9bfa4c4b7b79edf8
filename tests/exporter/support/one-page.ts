import { withExport, type Files } from "./site-fixture.js";

/** Returns the settings of a site that contains only the page `a`. */
export const config = (others: object = {}) => JSON.stringify({ navigation: { pages: ["a"] }, ...others });

/** Exports a site, and returns the article of its page `a` and the warnings. */
export async function articleOf(page: string, others: Files = {}): Promise<{ html: string; warnings: string[] }> {
    let found = { html: "", warnings: [] as string[] };
    await withExport({ "docs.json": config(), "a.mdx": page, ...others }, async (site) => {
        const html = /<article[^>]*>\n([\s\S]*)\n<\/article>/.exec(await site.read("a.html"))?.[1] ?? "";
        found = { html, warnings: site.warnings.map(({ file, line, reason }) => `${file}:${line}: ${reason}`) };
    });
    return found;
}
