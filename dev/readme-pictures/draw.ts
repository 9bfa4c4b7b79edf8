/**
 * Draws the pictures in README.md: the exported guide, and the pull request comment, which is a golden file of
 * tests/cli/preview in GitHub's style. Run `npm run readme-pictures` when the guide or the comment changes. The script
 * needs chromium (Debian: apt-get install chromium).
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { markdownToHtml } from "satteri";

const root = fileURLToPath(new URL("../../", import.meta.url));
const style = `
    body { margin: 0; padding: 12px; background: #fff; width: 940px; }
    .comment { border: 1px solid #d1d9e0; border-radius: 6px; overflow: hidden; }
    .author { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; padding: 8px 16px; color: #59636e; }
    .author b { color: #1f2328; }
    .text { padding: 16px; }
    body, table { font: 14px/1.5 system-ui, "DejaVu Sans", sans-serif; color: #1f2328; }
    h3 { font-size: 17px; margin: 0 0 16px; }
    h4 { font-size: 14px; margin: 16px 0 8px; }
    p { margin: 0 0 12px; }
    table { border-collapse: collapse; margin-bottom: 12px; }
    th, td { border: 1px solid #d1d9e0; padding: 5px 11px; text-align: left; }
    tr:nth-child(2n) td { background: #f6f8fa; }
    code { background: #818b981f; border-radius: 6px; padding: 2px 5px; font: 12px ui-monospace, "DejaVu Sans Mono", monospace; }
    .broken { color: #d1242f; }
    sub { color: #59636e; font-size: 12px; vertical-align: baseline; }`;

const markdown = readFileSync(`${root}tests/cli/preview/golden/review.md`, "utf8");
// Most machines have no font with the emoji.
const html = markdownToHtml(markdown).html.replaceAll("❌", '<span class="broken">✘</span>');
const site = mkdtempSync(join(tmpdir(), "static-export-picture-"));
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
    const page = await browser.newPage({ viewport: { width: 964, height: 600 } });
    const author = '<div class="author"><b>github-actions</b> (bot) commented</div>';
    await page.setContent(`<style>${style}</style><div class="comment">${author}<div class="text">${html}</div></div>`);
    await page.screenshot({ path: `${root}docs/images/preview-comment.png`, fullPage: true });

    const build = [`${root}cli/bin/static-export.js`, "build", `${root}docs`, "--output", join(site, "export")];
    execFileSync(process.execPath, build, { stdio: "inherit" });
    await page.setViewportSize({ width: 1100, height: 700 });
    await page.goto(pathToFileURL(join(site, "export", "index.html")).href);
    await page.screenshot({ path: `${root}docs/images/exported-site.png` });
} finally {
    await browser.close();
    rmSync(site, { recursive: true });
}
