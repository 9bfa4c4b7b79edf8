/**
 * Draws the pictures of components in the guide "Markdown and components": each example is exported like a page, and photographed
 * in a browser. Run `npm run component-pictures` when an example or the theme has changed. The script needs chromium
 * (Debian: apt-get install chromium).
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Page } from "playwright-core";
import { exportSite } from "../../exporter/src/write/export-site.js";
import { docsFolder, drawnFile, picturesFolder, readExamples, type Example } from "./examples.js";

/** Styles that show only the article, without the rest of the page. */
const onlyTheExample = `
    .skip, header.top, nav.sidebar, aside.toc, footer, .neighbours, .page-actions, article h1 { display: none !important; }
    body, .layout, main, article { display: block; margin: 0; padding: 0; width: 720px; max-width: 720px; min-height: 0; }
    article { box-sizing: border-box; padding: 16px; }
    article > :nth-child(1 of :not(h1)) { margin-top: 0; }
    article > :last-child { margin-bottom: 0; }`;

const examples = await readExamples();
const folder = await mkdtemp(join(tmpdir(), "component-pictures-"));
try {
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
    await rm(picturesFolder, { recursive: true, force: true });
    await mkdir(picturesFolder, { recursive: true });
    const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
    try {
        const page = await browser.newPage({ viewport: { width: 720, height: 900 }, colorScheme: "light" });
        for (const example of examples) {
            await page.goto(pathToFileURL(join(outDir, "examples", `${example.name}.html`)).href);
            await draw(page, example);
        }
    } finally {
        await browser.close();
    }
    const drawn = Object.fromEntries(examples.map(({ name, digest }) => [name, digest]));
    await writeFile(drawnFile, `${JSON.stringify(drawn, undefined, 2)}\n`);
    console.log(`${examples.length} pictures are in docs/images/components.`);
} finally {
    await rm(folder, { recursive: true, force: true });
}

async function draw(page: Page, { name }: Example): Promise<void> {
    await page.addStyleTag({ content: onlyTheExample });
    const tip = page.locator("article .tooltip button").first();
    if ((await tip.count()) > 0) {
        await tip.focus();
    }
    const height = await page.evaluate(() => {
        const bottoms = [...document.querySelectorAll("article, article .tooltip-text")].map((element) =>
            getComputedStyle(element).visibility === "hidden" ? 0 : element.getBoundingClientRect().bottom,
        );
        return Math.ceil(Math.max(...bottoms));
    });
    const session = await page.context().newCDPSession(page);
    const { data } = await session.send("Page.captureScreenshot", {
        format: "webp",
        quality: 90,
        captureBeyondViewport: true,
        clip: { x: 0, y: 0, width: 720, height, scale: 1 },
    });
    await writeFile(`${picturesFolder}${name}.webp`, Buffer.from(data, "base64"));
}
