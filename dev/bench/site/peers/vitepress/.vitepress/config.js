import { readdirSync } from "node:fs";

const pages = new URL("../pages/", import.meta.url);
const groups = readdirSync(pages, { withFileTypes: true }).filter((entry) => entry.isDirectory());

/** One sidebar per group, because VitePress generates none, and one with all pages would be part of every page. */
const sidebar = Object.fromEntries(
    groups.map(({ name }) => [
        `/${name}/`,
        readdirSync(new URL(name, pages)).map((file) => ({
            text: file.replace(".md", ""),
            link: `/${name}/${file.replace(".md", "")}`,
        })),
    ]),
);

export default { title: "Documentation", srcDir: "pages", themeConfig: { sidebar } };
