/**
 * The pictures of components in the guide "Markdown and components": each example is exported like a page, and
 * photographed in a browser.
 */
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Browser, type Page } from "playwright-core";
import { withTemporaryFolder } from "@pulumi-static-export/toolchain";
import { exportSite } from "../../exporter/src/write/export-site.js";
import { fingerprint, imagesFolder } from "./fingerprint.js";

export const docsFolder = fileURLToPath(new URL("../../docs/", import.meta.url));
/** The guide page with pictures of its examples, and the folder of the pictures. */
const pageFile = `${docsFolder}guides/components.md`;
export const picturesFolder = `${imagesFolder}components/`;

/** Styles that show only the article, without the rest of the page. */
const onlyTheExample = `
    .skip, header.top, nav.sidebar, aside.toc, footer, .neighbours, .page-actions, article h1 { display: none !important; }
    body, .layout, main, article { display: block; margin: 0; padding: 0; width: 720px; max-width: 720px; min-height: 0; }
    article { box-sizing: border-box; padding: 16px !important; }
    article > :nth-child(1 of :not(h1)) { margin-top: 0; }
    article > :last-child { margin-bottom: 0; }`;

/** An example from the guide that is followed by its picture. */
export interface Example {
    /** The name of the picture's file, without its extension. */
    readonly name: string;
    readonly source: string;
}

/** Reads the MDX fences of the guide that are followed by a picture in images/components. */
export async function readExamples(): Promise<Example[]> {
    const page = await readFile(pageFile, "utf8");
    const pattern =
        /^(`{3,})mdx\n([^]*?)\n\1\n\n\[!\[[^\]]+\]\((\.\.\/images\/components\/([\w-]+)\.webp)\)\]\(\3\)$/gm;
    return [...page.matchAll(pattern)].map(([, , source = "", , name = ""]) => ({ name, source }));
}

/** Returns the fingerprint of each exported example, by the name of its picture. */
export function fingerprints(): Promise<Record<string, string>> {
    return withExportedExamples(async (examples) => {
        const found: Record<string, string> = {};
        for (const { name, file } of examples) {
            const [article = ""] = /<article[^]*<\/article>/.exec(await readFile(file, "utf8")) ?? [];
            found[`components/${name}.webp`] = await fingerprint(article + onlyTheExample, "exporter/theme/site.css");
        }
        return found;
    });
}

export async function draw(browser: Browser): Promise<void> {
    await withExportedExamples(async (examples) => {
        await rm(picturesFolder, { recursive: true, force: true });
        await mkdir(picturesFolder, { recursive: true });
        const page = await browser.newPage({ viewport: { width: 800, height: 900 }, colorScheme: "light" });
        for (const { name, file } of examples) {
            await page.goto(pathToFileURL(file).href);
            await drawExample(page, name);
        }
        await page.close();
    });
}

/** Exports the examples as pages of the guide. */
async function withExportedExamples<Result>(
    use: (examples: readonly { name: string; file: string }[]) => Promise<Result>,
): Promise<Result> {
    const examples = await readExamples();
    return withTemporaryFolder("component-pictures-", async (folder) => {
        const [sourceDir, outDir] = [join(folder, "site"), join(folder, "out")];
        // Copies the guide's own site, so that links and pictures in the examples resolve.
        await cp(docsFolder, sourceDir, { recursive: true });
        await mkdir(join(sourceDir, "examples"));
        for (const { name, source } of examples) {
            await writeFile(join(sourceDir, "examples", `${name}.mdx`), `---\ntitle: Example\n---\n\n${source}\n`);
        }
        const { warnings } = await exportSite({ sourceDir, outDir, domain: "docs.example.com" });
        const own = warnings.filter(({ file }) => file.startsWith("examples/"));
        if (own.length > 0) {
            throw new Error(own.map(({ file, reason }) => `${file}: ${reason}`).join("\n"));
        }
        return await use(examples.map(({ name }) => ({ name, file: join(outDir, "examples", `${name}.html`) })));
    });
}

async function drawExample(page: Page, name: string): Promise<void> {
    await page.addStyleTag({ content: onlyTheExample });
    const tip = page.locator("article .tooltip button").first();
    if ((await tip.count()) > 0) {
        await tip.focus();
    }
    const { x, height } = await page.evaluate(() => {
        const { x } = document.querySelector("article")!.getBoundingClientRect();
        const bottoms = [...document.querySelectorAll("article, article .tooltip-text")].map((element) =>
            getComputedStyle(element).visibility === "hidden" ? 0 : element.getBoundingClientRect().bottom,
        );
        return { x, height: Math.ceil(Math.max(...bottoms)) };
    });
    const session = await page.context().newCDPSession(page);
    const { data } = await session.send("Page.captureScreenshot", {
        format: "webp",
        quality: 90,
        captureBeyondViewport: true,
        clip: { x, y: 0, width: 720, height, scale: 1 },
    });
    await writeFile(`${picturesFolder}${name}.webp`, Buffer.from(data, "base64"));
}
