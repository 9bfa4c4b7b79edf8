import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout as delay } from "node:timers/promises";
import { chromium, type Browser, type Page } from "playwright-core";

const executablePath = "/usr/bin/chromium";
const closesWithinMs = 15_000;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Starts the system's browser, which the caller closes. Skips the spec or the suite if no browser is installed.
 *
 * @param switches - additional command line switches
 */
export async function launchChromium(spec: Mocha.Context, switches: readonly string[] = []): Promise<Browser> {
    if (!existsSync(executablePath)) {
        console.log("    skipped: there is no chromium at /usr/bin/chromium (Debian: apt-get install chromium)");
        spec.skip();
    }
    const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", ...switches];
    return chromium.launch({ executablePath, args });
}

/** Provides one browser for all specs of the calling suite. */
export function useChromium(switches?: readonly string[]): () => Browser {
    let browser: Browser | undefined;
    before(async function () {
        browser = await launchChromium(this, switches);
    });
    after(async () => {
        await browser?.close();
    });
    return () => browser as Browser;
}

/** Opens an empty page for a reader who prefers reduced motion, and closes it afterwards. */
export async function withReader(
    browser: Browser,
    use: (page: Page) => Promise<void>,
    options: Parameters<Browser["newContext"]>[0] = {},
): Promise<void> {
    const context = await browser.newContext({ reducedMotion: "reduce", ...options });
    try {
        await use(await context.newPage());
    } finally {
        // Chromium does not always close a page that is just loading another; `useChromium` ends the whole browser.
        const abandoned = new AbortController();
        await Promise.race([context.close(), delay(closesWithinMs, undefined, { signal: abandoned.signal })]);
        abandoned.abort();
    }
}

/** Returns axe's findings on the open page: the rule, the element and the reason. */
export async function axeViolations(page: Page): Promise<string[]> {
    await page.evaluate(axe);
    return page.evaluate(
        "axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html, any }) => id + ': ' + html.slice(0, 160) + ' ' + (any[0]?.message ?? ''))))",
    );
}
