import assert from "node:assert/strict";
import { sidebarOf } from "../../support/site-fixture.js";
import { titleOf, withProject } from "../../support/project-fixture.js";

describe("Settings from other builders", () => {
    it("provide Starlight's title, sidebar and languages; missing translations show the first language", async () => {
        const files = {
            "astro.config.mjs": `
import { defineConfig } from "astro/config";
import starlight from "@astrojs/starlight";
import { labels } from "./labels.ts";
export default defineConfig({
    site: "https://example.com",
    integrations: [
        starlight({
            title: { en: "Lighthouse", de: "Leuchtturm" },
            defaultLocale: "root",
            locales: { root: { label: "English", lang: "en" }, de: { label: "Deutsch" } },
            sidebar: [
                { label: "Start", translations: { de: "Anfang" }, items: ["guides/start", { slug: "guides/next" }] },
                { label: labels.reference, autogenerate: { directory: "reference" } },
            ],
        }),
    ],
});`,
            "labels.ts": 'export const labels = { reference: "All of it" } as const;\n',
            "src/content/docs/index.md": "---\ntitle: Home\n---\n",
            "src/content/docs/guides/start.md": "---\ntitle: Start here\n---\n",
            "src/content/docs/guides/next.md": "---\ntitle: Next\n---\n",
            "src/content/docs/reference/b.md": "---\ntitle: B\nsidebar:\n  order: 1\n---\n",
            "src/content/docs/reference/a.md": "---\ntitle: A\n---\n",
            "src/content/docs/de/guides/start.md": "---\ntitle: Hier beginnen\n---\n\n[weiter](/de/guides/next/)\n",
        };
        await withProject(files, "src/content/docs", async ({ read, warnings }) => {
            assert.deepEqual(warnings, []);
            const start = await read("guides/start.html");
            assert.equal(titleOf(start), "Start here – Lighthouse");
            assert.match(start, /All of it/);
            assert.deepEqual(
                sidebarOf(start).map(([, text]) => text),
                ["Start here", "Next", "A", "B"],
            );
            const german = await read("de/guides/start.html");
            assert.match(german, /Anfang/);
            assert.match(german, /<a href="\.\.\/\.\.\/guides\/next\.html">weiter<\/a>/);
            assert.match(await read("de/guides/next.html"), /url=[^"]*guides\/next/);
        });
    });

    it("provide VitePress' title, and its sidebars as tabs named after the links in the top bar", async () => {
        const files = {
            "docs/.vitepress/config.ts": `
import { defineConfig, type DefaultTheme } from "vitepress";
import sidebar from "./sidebar";
export default defineConfig({
    title: "Press",
    themeConfig: {
        nav: [{ text: "Guide", link: "/guide/start" }, { text: "API", link: "/api/" }],
        sidebar,
        socialLinks: [
            { icon: "github", link: "https://github.com/example/press" },
            { icon: "x", link: "https://x.com/example" },
            { icon: { svg: "<svg></svg>" }, link: "https://example.com/own", ariaLabel: "Our forum" },
        ],
    },
});`,
            "docs/.vitepress/sidebar.ts": `
const guide: DefaultTheme.SidebarItem[] = [
    { text: "First steps", items: [{ text: "Start", link: "/guide/start" }, { text: "More", link: "/guide/more.md" }] },
];
export default { "/guide/": guide, "/api/": { base: "/api/", items: [{ text: "All", link: "all" }] } };`,
            "docs/index.md": "# Home\n",
            "docs/guide/start.md": "# Start\n",
            "docs/guide/more.md": "# More\n",
            "docs/api/all.md": "# All\n",
        };
        await withProject(files, "docs", async ({ read, warnings }) => {
            assert.deepEqual(warnings, []);
            const start = await read("guide/start.html");
            assert.equal(titleOf(start), "Start – Press");
            assert.deepEqual(
                sidebarOf(start).map(([, text]) => text),
                ["Guide", "API", "Start", "More", "Our forum"],
            );
            assert.match(
                start,
                /<a href="https:\/\/github\.com\/example\/press"><svg.*?<span class="visually-hidden">GitHub</,
            );
            assert.match(start, /<a href="https:\/\/x\.com\/example"><svg.*?<span class="visually-hidden">X</);
        });
    });

    it("can be VitePress settings in a folder, with separate sites per language and shared sidebars", async () => {
        const files = {
            "docs/.vitepress/config/index.mts": `
import { defineConfig } from "vitepress";
import { shared } from "./shared.mts";
const locale = (label: string, link: string) => ({ label, link });
export default defineConfig({
    ...shared,
    locales: { root: locale("English", "/"), de: locale("Deutsch", "/de/"), ja: locale("日本語", "https://ja.example.com") },
});`,
            "docs/.vitepress/config/shared.mts": `
const guide = [{ text: "Guide", items: [{ text: "Start", link: "/guide/start" }] }];
export const shared = { title: "Shared", themeConfig: { sidebar: { "/guide/": guide, "/more/": guide } } };`,
            "docs/index.md": "# Home\n",
            "docs/guide/start.md": "# Start\n",
            "docs/de/index.md": "# Anfang\n",
        };
        await withProject(files, "docs", async ({ read, warnings }) => {
            assert.deepEqual(warnings, []);
            const start = await read("guide/start.html");
            assert.equal(titleOf(start), "Start – Shared");
            assert.deepEqual(
                sidebarOf(start).map(([, text]) => text),
                ["Start"],
            );
            assert.match(start, /hreflang="de"/);
            assert.doesNotMatch(start, /hreflang="ja"/);
        });
    });

    it("can be Docusaurus settings in the folder website next to the pages, with ids from front matter", async () => {
        const files = (path: string) => ({
            "website/docusaurus.config.ts": `
import path from "node:path";
const docs = { path: "${path}", sidebarPath: path.resolve(__dirname, "./lists/all.json") };
export default async () => ({ title: "Next to it", presets: [["classic", { docs }]] });`,
            "website/lists/all.json": '{ "docs": { "First steps": ["basics/quick-start", "home"] } }',
            "docs/Home.md": "---\nid: home\n---\n\n# Home\n",
            "docs/basics/01-QuickStart.md": "---\nid: quick-start\n---\n\n# Quick start\n",
        });
        await withProject(files("../docs"), "docs", async ({ read, warnings }) => {
            assert.deepEqual(warnings, []);
            const home = await read("Home.html");
            assert.equal(titleOf(home), "Home – Next to it");
            assert.deepEqual(
                sidebarOf(home).map(([, text]) => text),
                ["Quick start", "Home"],
            );
        });
        await withProject(files("./own"), "docs", async ({ read }) => {
            assert.equal(titleOf(await read("Home.html")), "Home – docs.example.com");
        });
    });

    it("provide Docusaurus' title and categories, with pages by id", async () => {
        const files = {
            "docusaurus.config.ts": `
import type { Config } from "@docusaurus/types";
import { themes as prismThemes } from "prism-react-renderer";
const config: Config = {
    title: "Saurus",
    presets: [["classic", { docs: { sidebarPath: "./sidebars.js" }, theme: { customCss: "./custom.css" } }]],
    themeConfig: {
        prism: { theme: prismThemes.github },
        navbar: { items: [{ label: "Forum", href: "https://forum.example.com" }] },
    },
};
export default config;`,
            "sidebars.js": `
/** @type {import('@docusaurus/plugin-content-docs').SidebarsConfig} */
module.exports = {
    main: [
        "intro",
        { type: "category", label: "Basics", link: { type: "doc", id: "basics/overview" }, items: ["basics/install"] },
        { type: "category", label: "Rest", items: [{ type: "autogenerated", dirName: "rest" }] },
    ],
};`,
            "docs/01-intro.md": "# Intro\n",
            "docs/basics/overview.md": "# Overview\n",
            "docs/basics/02-install.md": "# Install\n",
            "docs/rest/deep/one.md": "# One\n",
        };
        for (const folder of ["docs", "."]) {
            await withProject(files, folder, async ({ read, warnings }) => {
                assert.deepEqual(warnings, []);
                const intro = await read(folder === "." ? "docs/01-intro.html" : "01-intro.html");
                assert.equal(titleOf(intro), "Intro – Saurus");
                assert.match(intro, /Basics[\s\S]*Rest[\s\S]*Deep/);
                assert.match(intro, /https:\/\/forum\.example\.com/);
            });
        }
    });

    it("can be Docusaurus settings that use Node.js modules, whole packages, and missing generated files", async () => {
        const files = {
            "docusaurus.config.ts": `
import * as path from "node:path";
const plugins = [path.resolve(__dirname, "plugins", "loader")];
const docs = { sidebarPath: require.resolve("./sidebars.ts") };
export default ({ mode }: { mode: string }) => ({ title: "Saurus", plugins, presets: [["classic", { docs }]] });`,
            "sidebars.ts": `
import generated from "./docs/api/sidebar";
import { suffix } from "./names.json";
const names = require("./names.json");
const labelOf = (name: string, suffix?: string): string => name + (suffix ?? "");
export default { main: [{ [labelOf(names.start, suffix)]: ["intro"] }, { type: "category", label: "API", items: generated }] };`,
            "names.json": '{ "start": "Start", "suffix": " here" }',
            "docs/intro.md": "# Intro\n",
        };
        await withProject(files, "docs", async ({ read, warnings }) => {
            assert.deepEqual(warnings, [
                "docusaurus.config.ts: the settings need files or modules that are not there or cannot be read " +
                    "(docs/api/sidebar): their part is missing. Generate such files before the export, or write a docs.json",
            ]);
            const intro = await read("intro.html");
            assert.equal(titleOf(intro), "Intro – Saurus");
            assert.match(intro, /Start here/);
        });
    });

    it("are reported if they need more than their own files, and still provide the title", async () => {
        const files = {
            "docs/.vitepress/config.mjs": `
import { readdirSync } from "node:fs";
const pages = JSON.parse(await (await fetch("https://example.com/pages.json")).text());
export default {
    title: "Needs the network",
    themeConfig: { sidebar: pages },
};`,
            "docs/index.md": "# Home\n",
        };
        await withProject(files, "docs", async ({ read, warnings }) => {
            assert.equal(titleOf(await read("index.html")), "Home – Needs the network");
            assert.equal(warnings.length, 1);
            assert.match(warnings[0] ?? "", /^\.vitepress\/config\.mjs: the settings .* write a docs\.json/);
        });
    });

    it("do not stop an export even if their code never ends or fills the memory", async () => {
        for (const code of ["for (;;) {}", "const all = []; for (;;) all.push({ one: 1 });"]) {
            const files = { "docs/.vitepress/config.mjs": `${code}\nexport default {};`, "docs/index.md": "# Home\n" };
            let count = 0;
            await withProject(files, "docs", ({ warnings }) => Promise.resolve(void (count = warnings.length)));
            assert.equal(count, 1);
        }
    });

    it("are not read if the site has a docs.json", async () => {
        const files = {
            "docs/docs.json": '{ "name": "Own", "navigation": { "pages": ["index"] } }',
            "docs/.vitepress/config.mjs": 'export default { title: "Other" };',
            "docs/index.md": "# Home\n",
        };
        await withProject(files, "docs", async ({ read }) => {
            assert.equal(titleOf(await read("index.html")), "Home – Own");
        });
    });
});
