/**
 * `npm run pictures` draws the pictures of README.md and the guide that are out of date. Run the command when a spec
 * says so. It needs chromium (Debian: apt-get install chromium).
 */
import { writeFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { chromium } from "playwright-core";
import * as components from "./components.js";
import * as dashboard from "./dashboard.js";
import { drawnFile, readDrawn } from "./fingerprint.js";
import * as guide from "./guide.js";
import { builders } from "./side-by-side.js";

const drawn: Record<string, string> = {};
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
    for (const { draw, fingerprints } of [guide, dashboard, components, ...builders]) {
        const shown = await fingerprints();
        if (!isDeepStrictEqual(await readDrawn(Object.keys(shown)), shown)) {
            await draw(browser);
        }
        Object.assign(drawn, shown);
    }
} finally {
    await browser.close();
}
await writeFile(drawnFile, `${JSON.stringify(drawn, undefined, 2)}\n`);
