import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type Page } from "playwright-core";
import { homePage, longPage } from "./pages.js";
import { type StaticServer } from "./static-server.js";

const axe = createRequire(import.meta.url).resolve("axe-core");

/** How to open a site's search, and how to find its results. */
export interface SearchBox {
    readonly button: string;
    readonly input: string;
    readonly result: string;
}

export interface Observations {
    bytes: number;
    requests: number;
    withoutScripts: boolean;
    fromDisk: string;
    axe: string;
    overflow: number;
    found: Record<string, string>;
}

/**
 * The queries: a word from a heading, the beginning of the word, the word with a missing letter, and another form of a
 * word on the page.
 */
const queries = { word: "troubleshooting", prefix: "troubl", typo: "troubleshotting", stem: "restarting" };

export async function observe(
    browser: Browser,
    server: StaticServer,
    outDir: string,
    search: SearchBox,
): Promise<Observations> {
    const first = await traffic(browser, server.url(longPage));
    return {
        ...first,
        withoutScripts: await isReadWithoutScripts(browser, server),
        fromDisk: await fromDisk(browser, outDir),
        axe: await violations(browser, server),
        overflow: await overflow(browser, server),
        found: await searches(browser, server, search),
    };
}

async function traffic(browser: Browser, url: string): Promise<{ bytes: number; requests: number }> {
    return withPage(browser, {}, async (page) => {
        const session = await page.context().newCDPSession(page);
        let [bytes, requests] = [0, 0];
        await session.send("Network.enable");
        session.on("Network.loadingFinished", ({ encodedDataLength }) => {
            bytes += encodedDataLength;
            requests += 1;
        });
        await page.goto(url, { waitUntil: "networkidle" });
        return { bytes, requests };
    });
}

async function isReadWithoutScripts(browser: Browser, server: StaticServer): Promise<boolean> {
    return withPage(browser, { javaScriptEnabled: false }, async (page) => {
        await page.goto(server.url(longPage));
        return page.locator("main h2, main pre").first().isVisible();
    });
}

/** Opens the file as a reader of an unpacked bundle does, and counts the resources that fail to load. */
async function fromDisk(browser: Browser, outDir: string): Promise<string> {
    return withPage(browser, {}, async (page) => {
        let failed = 0;
        page.on("requestfailed", () => failed++);
        const file = [`${longPage}.html`, `${longPage}/index.html`].map((name) => join(outDir, name)).find(existsSync);
        await page.goto(pathToFileURL(file ?? outDir).href, { waitUntil: "load" });
        const fonts = await page.evaluate(() => getComputedStyle(document.body).fontFamily);
        return failed === 0 ? "yes" : `${failed} files fail${/^"?times|^serif/i.test(fonts) ? ", unstyled" : ""}`;
    });
}

async function violations(browser: Browser, server: StaticServer): Promise<string> {
    const counts: number[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
        for (const path of [homePage, longPage]) {
            await withPage(browser, { colorScheme }, async (page) => {
                await page.goto(server.url(path), { waitUntil: "networkidle" });
                await page.addScriptTag({ path: axe });
                counts.push(
                    await page.evaluate(async () => {
                        const { axe } = globalThis as unknown as {
                            axe: { run(): Promise<{ violations: { nodes: unknown[] }[] }> };
                        };
                        return (await axe.run()).violations.flatMap(({ nodes }) => nodes).length;
                    }),
                );
            });
        }
    }
    return counts.join(" + ");
}

/** Returns the number of pixels by which the long page is wider than a small phone. */
async function overflow(browser: Browser, server: StaticServer): Promise<number> {
    return withPage(browser, { viewport: { width: 320, height: 640 } }, async (page) => {
        await page.goto(server.url(longPage), { waitUntil: "networkidle" });
        return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    });
}

async function searches(browser: Browser, server: StaticServer, box: SearchBox): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const [kind, query] of Object.entries(queries)) {
        await withPage(browser, {}, async (page) => {
            await page.goto(server.url(homePage), { waitUntil: "networkidle" });
            await search(page, box, query);
            const first = page.locator(box.result).first();
            const isThere = await first.waitFor({ timeout: 5000 }).then(
                () => true,
                () => false,
            );
            found[kind] = isThere ? "yes" : "no";
        });
    }
    return found;
}

export async function search(page: Page, box: SearchBox, query: string): Promise<void> {
    await page.locator(box.button).first().click();
    await page.locator(box.input).first().fill(query);
}

export async function withPage<T>(
    browser: Browser,
    options: Parameters<Browser["newContext"]>[0],
    use: (page: Page) => Promise<T>,
): Promise<T> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    try {
        return await use(await context.newPage());
    } finally {
        await context.close();
    }
}
