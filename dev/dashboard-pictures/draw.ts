/**
 * Draws the pictures of the guide "Dashboard": a service with example sites, as an operator sees it. Run
 * `npm run dashboard-pictures` when tests/dev/pictures fails. The script needs chromium (Debian: apt-get install
 * chromium).
 *
 * With a folder as argument, draws every page there instead, for reviews: wide, narrow and dark.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "playwright-core";
import { type ExampleService, withExampleService } from "./example-service.js";
import { drawnFile, fingerprints, pictured } from "./shown.js";

const images = fileURLToPath(new URL("../../docs/images/", import.meta.url));
const review = process.argv[2];
const looks = [
    ["wide", { width: 1280, height: 760 }, "light"],
    ["narrow", { width: 390, height: 844 }, "light"],
    ["dark", { width: 1280, height: 760 }, "dark"],
] as const;

async function drawAll(page: Page, { service, paths }: ExampleService, name: (title: string) => string): Promise<void> {
    const inGuide = new Set(Object.keys(pictured));
    for (const [title, path] of Object.entries(paths)) {
        if (review === undefined && !inGuide.has(`dashboard-${title}.png`)) {
            continue;
        }
        await page.goto(`${service.url}/dashboard${path}`);
        await page.screenshot({ path: name(title), fullPage: review !== undefined });
    }
    await page.goto(`${service.url}/dashboard/keys`);
    await page.getByLabel("Name").fill(`ci-${Math.random().toString(36).slice(2, 6)}`);
    await page.getByRole("button", { name: "Create" }).click();
    await page.screenshot({ path: name("new-key"), fullPage: review !== undefined });
}

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
    await withExampleService(async (example) => {
        const drawn = await fingerprints(example);
        for (const [look, viewport, colorScheme] of review === undefined ? looks.slice(0, 1) : looks) {
            const context = await browser.newContext({ viewport, colorScheme });
            const page = await context.newPage();
            await page.goto(example.service.createSignInLink() ?? "");
            await drawAll(page, example, (title) =>
                review === undefined ? join(images, `dashboard-${title}.png`) : join(review, `${look}-${title}.png`),
            );
            await context.close();
        }
        if (review === undefined) {
            await writeFile(drawnFile, `${JSON.stringify(drawn, undefined, 2)}\n`);
        }
    });
} finally {
    await browser.close();
}
