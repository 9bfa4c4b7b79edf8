import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const guides = fileURLToPath(new URL("../../../docs/guides/", import.meta.url));
const names = ["kubernetes", "self-hosted-service", "troubleshooting", "pipelines", "pulumi-features"];

export const homePage = "/";
/** A long page with a lot of code. */
export const longPage = "/guides/pipelines";

/** Settings that give VitePress the search and the navigation that the other builders have by default. */
const vitepressConfig = `export default {
    title: "Documentation",
    srcDir: "pages",
    themeConfig: {
        search: { provider: "local" },
        sidebar: [{ text: "Guides", items: ${JSON.stringify(names.map((name) => ({ text: name, link: `/guides/${name}` })))} }],
    },
};
`;

/**
 * Writes a home page and five of this repository's guides, as Markdown with front matter, which all three builders
 * accept.
 */
export async function writePages(folder: string, kind: string): Promise<void> {
    const links = names.map((name) => `- [${name}](/guides/${name})`).join("\n");
    const home = `---\ntitle: Documentation\ndescription: How to run the service.\n---\n\nPick a guide:\n\n${links}\n`;
    const pages = new Map([["index.md", home]]);
    for (const name of names) {
        const text = await readFile(`${guides}${name}.md`, "utf8");
        // Keeps only links to other sites, because the repository's other pages are missing here.
        pages.set(`guides/${name}.md`, text.replace(/(?<!!)\[([^\]]+)\]\((?!https?:)[^)]+\)/g, "$1"));
    }
    for (const [file, text] of pages) {
        await mkdir(dirname(join(folder, file)), { recursive: true });
        await writeFile(join(folder, file), kind === "vitepress" ? withHeading(text) : text);
    }
    if (kind === "vitepress") {
        await writeFile(join(folder, "../.vitepress/config.js"), vitepressConfig);
    }
}

/** Adds the title to the text as a heading, because VitePress shows only headings that the text contains. */
function withHeading(text: string): string {
    const title = /^title: (.*)$/m.exec(text)?.[1] ?? "";
    return text.replace(/^(---\n[^]*?\n---\n)/, (frontMatter) => `${frontMatter}\n# ${title}\n`);
}
