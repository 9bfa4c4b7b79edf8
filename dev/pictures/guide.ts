/**
 * The pull request comment in README.md, which is a golden file of tests/cli/preview in GitHub's style, and the warning
 * in the guide "Write pages".
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type Page } from "playwright-core";
import { markdownToHtml } from "satteri";
import { withTemporaryFolder } from "@pulumi-static-export/toolchain";
import { LiveSite } from "../../exporter/src/live/live-site.js";
import { fingerprint, imagesFolder, textOf } from "./fingerprint.js";

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

/** The comment on a pull request: a golden file of tests/cli/preview. */
const readComment = (): Promise<string> => readFile(`${root}tests/cli/preview/golden/review.md`, "utf8");

/** The site in the picture of a warning. */
const siteWithWarning = {
    "index.md": "# Welcome\n\nThis is your first page. Next, read how to [install](./install.md) the command.\n",
};

async function withSiteWithWarning<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
    return withTemporaryFolder("static-export-picture-", async (folder) => {
        await mkdir(join(folder, "docs"));
        for (const [file, text] of Object.entries(siteWithWarning)) {
            await writeFile(join(folder, "docs", file), text);
        }
        return await use(join(folder, "docs"));
    });
}

export async function draw(browser: Browser): Promise<void> {
    const page = await browser.newPage({ viewport: { width: 964, height: 600 } });
    await drawComment(page);
    await withSiteWithWarning((folder) => drawWarning(page, folder));
    await page.close();
}

async function drawComment(page: Page): Promise<void> {
    // Most machines have no font with the emoji.
    const html = markdownToHtml(await readComment()).html.replaceAll("❌", '<span class="broken">✘</span>');
    const author = '<div class="author"><b>github-actions</b> (bot) commented</div>';
    await page.setContent(`<style>${style}</style><div class="comment">${author}<div class="text">${html}</div></div>`);
    await page.screenshot({ path: `${imagesFolder}preview-comment.png`, fullPage: true });
}

async function drawWarning(page: Page, folder: string): Promise<void> {
    const command = [`${root}cli/bin/static-export.js`, "dev", folder, "--port", "0"];
    const dev = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "inherit"] });
    try {
        const [printed] = (await once(dev.stdout, "data")) as [Buffer];
        const [address = ""] = /http:\S+/.exec(printed.toString()) ?? [];
        await page.setViewportSize({ width: 900, height: 420 });
        await page.goto(address);
        await page.getByText("1 warning").click();
        await page.getByText("install.md leads to no page").waitFor();
        await page.screenshot({ path: `${imagesFolder}dev-warning.png` });
    } finally {
        dev.kill("SIGINT");
        await once(dev, "exit");
    }
}

/** Returns the fingerprint of what the code prints today for each picture. */
export async function fingerprints(): Promise<Record<string, string>> {
    return {
        "preview-comment.png": await fingerprint((await readComment()) + style),
        "dev-warning.png": await withSiteWithWarning(async (folder) => {
            const work = join(folder, "..", "work");
            await mkdir(work);
            const site = new LiveSite(folder, work, undefined);
            await site.plan();
            const page = await site.file("");
            const { warnings } = await site.state("index.html");
            const text = textOf(page.kind === "page" ? page.html : "");
            return fingerprint(text + JSON.stringify(warnings), "exporter/theme/site.css");
        }),
    };
}
