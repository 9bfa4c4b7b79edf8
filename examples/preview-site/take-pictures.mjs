// Takes pictures of the pages that differ between two exports, and shows both versions side by side on one page.
// Usage: static-export compare <old> <new> --json | node take-pictures.mjs <old> <new> <folder for the pictures>
import { mkdir, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const maxPages = 20;
const maxHeight = 3000;

const [before, after, folder] = process.argv.slice(2).map((place) => resolve(place));
const { changed, added, removed } = JSON.parse(await text(process.stdin));
const pages = [...changed, ...added, ...removed];

const fileOf = (site, page) => [`${page}.html`, `${page}/index.html`].map((name) => join(site, name)).find(existsSync);
const escapeHtml = (given) => given.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

await mkdir(folder, { recursive: true });
// Set this if the browser is not in Chrome's usual location.
const executablePath = process.env["CHROME_PATH"];
const browser = await chromium.launch(executablePath ? { executablePath } : { channel: "chrome" });
try {
    const tab = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
    const rows = [];
    for (const [number, { page, title }] of pages.slice(0, maxPages).entries()) {
        const cells = [];
        for (const [name, site] of [
            ["before", before],
            ["after", after],
        ]) {
            const file = fileOf(site, page);
            const picture = `${number + 1}-${name}.png`;
            if (file !== undefined) {
                await tab.goto(pathToFileURL(file).href);
                const height = await tab.evaluate("document.documentElement.scrollHeight");
                const clip = { x: 0, y: 0, width: 1280, height: Math.min(height, maxHeight) };
                await tab.screenshot({ path: join(folder, picture), fullPage: true, clip });
            }
            cells.push(file === undefined ? "<td></td>" : `<td><img src="${picture}" alt="${name}"></td>`);
        }
        rows.push(`<tr><th colspan="2">${escapeHtml(`${page} ${title}`)}</th></tr>\n<tr>${cells.join("")}</tr>\n`);
    }
    const rest = pages.length > maxPages ? `<p>${pages.length - maxPages} more pages differ.</p>\n` : "";
    await writeFile(
        join(folder, "index.html"),
        `<!doctype html>\n<meta charset="utf-8">\n<title>Pages that differ</title>\n<style>img { width: 45vw }</style>\n${rest}<table>\n${rows.join("")}</table>\n`,
    );
} finally {
    await browser.close();
}
