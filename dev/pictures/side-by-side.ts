/** The pictures of the guide "Is it for you?": the same page by this exporter, Starlight and VitePress. */
import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Browser } from "playwright-core";
import { withTemporaryFolder } from "@pulumi-static-export/toolchain";
import { exportSite } from "../../exporter/src/write/export-site.js";
import { fingerprint, imagesFolder } from "./fingerprint.js";

const viewport = { width: 1280, height: 800 };
const shownPage = "guides/publish";

/** A site in the Markdown that all three builders read. */
const pages = {
    "index.md": "---\ntitle: Documentation\n---\n\nRead how to [publish](/guides/publish).\n",
    "guides/keys.md": "---\ntitle: Keys\n---\n\nA key allows what its scopes name.\n",
    "guides/publish.md": `---
title: Publish the site
description: From a folder of Markdown to a site that needs no server.
---

Write a **program**, and run \`pulumi up\`. A key comes from [Keys](/guides/keys).

## The program

\`\`\`ts
import { StaticExportBundle } from "pulumi-static-export";

const bundle = new StaticExportBundle("docs", {
    domain: "docs.example.com",
    version: process.env.DOCS_VERSION ?? "local",
});

export const { jobId } = bundle;
\`\`\`

## What happens

| Step | What it does |
| --- | --- |
| Start | One job begins for the domain |
| Wait | The program reads the job's status |
| Serve | The deployment gets the bundle's link |

## After a failure

1. Read the reason of the job.
2. Correct the page.
3. Run \`pulumi up\` again.
`,
};

/** A builder that npm installs. */
interface Peer {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly files: Readonly<Record<string, string>>;
    /** Whether pages show only a title that is also a heading. */
    readonly needsHeading?: boolean;
    /** The folder of the pages. */
    readonly pagesFolder: string;
    readonly command: readonly string[];
    readonly outDir: string;
}

export const peers: Readonly<Record<"starlight" | "vitepress", Peer>> = {
    starlight: {
        dependencies: { "@astrojs/starlight": "0.37.7", astro: "5.16.0", sharp: "0.34.5" },
        files: {
            "astro.config.mjs":
                'import { defineConfig } from "astro/config";\nimport starlight from "@astrojs/starlight";\n' +
                'export default defineConfig({ integrations: [starlight({ title: "Documentation" })] });\n',
            "src/content.config.ts":
                'import { defineCollection } from "astro:content";\n' +
                'import { docsLoader } from "@astrojs/starlight/loaders";\n' +
                'import { docsSchema } from "@astrojs/starlight/schema";\n' +
                "export const collections = " +
                "{ docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };\n",
        },
        pagesFolder: "src/content/docs",
        command: ["astro", "build"],
        outDir: "dist",
    },
    vitepress: {
        dependencies: { vitepress: "1.6.4" },
        files: {
            "docs/.vitepress/config.js": `export default {
    title: "Documentation",
    themeConfig: {
        search: { provider: "local" },
        sidebar: [
            { text: "Documentation", link: "/" },
            { text: "Guides", items: [{ text: "Keys", link: "/guides/keys" }, { text: "Publish the site", link: "/guides/publish" }] },
        ],
    },
};
`,
        },
        needsHeading: true,
        pagesFolder: "docs",
        command: ["vitepress", "build", "docs"],
        outDir: "docs/.vitepress/dist",
    },
};

export const builders = [
    {
        draw: (browser: Browser) => withOurSite((outDir) => photograph(browser, outDir, "ours")),
        fingerprints: () =>
            withOurSite(async (outDir) => {
                const html = await readFile(join(outDir, `${shownPage}.html`), "utf8");
                const [body = ""] = /<body[^]*<\/body>/.exec(html) ?? [];
                return { [pictureOf("ours")]: await fingerprint(body, "exporter/theme/site.css") };
            }),
    },
    ...Object.entries(peers).map(([name, peer]) => ({
        draw: (browser: Browser) => withPeersSite(peer, (outDir) => photograph(browser, outDir, name)),
        fingerprints: async () => ({ [pictureOf(name)]: await fingerprint(JSON.stringify([pages, peer])) }),
    })),
];

const pictureOf = (name: string) => `side-by-side/${name}.webp`;

function withOurSite<Result>(use: (outDir: string) => Promise<Result>): Promise<Result> {
    return withTemporaryFolder("side-by-side-", async (folder) => {
        const [sourceDir, outDir] = [join(folder, "pages"), join(folder, "out")];
        await writeFiles(sourceDir, pages);
        await exportSite({ sourceDir, outDir, domain: "docs.example.com" });
        return use(outDir);
    });
}

function withPeersSite<Result>(peer: Peer, use: (outDir: string) => Promise<Result>): Promise<Result> {
    return withTemporaryFolder("side-by-side-", async (folder) => {
        const { dependencies, files, needsHeading = false, pagesFolder, command, outDir } = peer;
        await writeFiles(folder, {
            "package.json": JSON.stringify({ private: true, type: "module", dependencies }),
            ...files,
        });
        const heading = needsHeading ? "$1\n# $2\n" : "$1";
        for (const [file, text] of Object.entries(pages)) {
            const written = text.replace(/^(---\ntitle: (.*)\n[^]*?---\n)/, heading);
            await writeFiles(join(folder, pagesFolder), { [file]: written });
        }
        const run = (...args: string[]) => promisify(execFile)("npm", args, { cwd: folder });
        await run("install", "--no-audit", "--no-fund");
        await run("exec", "--no", "--", ...command);
        return use(join(folder, outDir));
    });
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
    for (const [file, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, file)), { recursive: true });
        await writeFile(join(folder, file), text);
    }
}

async function photograph(browser: Browser, outDir: string, name: string): Promise<void> {
    const page = await browser.newPage({ viewport, colorScheme: "light" });
    await page.route("**/*", (route) => {
        const path = join(outDir, decodeURIComponent(new URL(route.request().url()).pathname));
        const isFile = (file: string) => statSync(file, { throwIfNoEntry: false })?.isFile() === true;
        const file = [path, `${path}.html`, join(path, "index.html")].find(isFile);
        return route.fulfill(file === undefined ? { status: 404 } : { path: file });
    });
    await page.goto(`http://docs.example.com/${shownPage}`, { waitUntil: "networkidle" });
    const session = await page.context().newCDPSession(page);
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 85 });
    await mkdir(dirname(imagesFolder + pictureOf(name)), { recursive: true });
    await writeFile(imagesFolder + pictureOf(name), Buffer.from(data, "base64"));
    await page.close();
}
