/**
 * `npm run pictures` draws the pictures of README.md and the guide. Run the command when a spec says that a picture is
 * out of date. It needs chromium (Debian: apt-get install chromium).
 */
import { writeFile } from "node:fs/promises";
import { chromium } from "playwright-core";
import * as components from "./components.js";
import * as dashboard from "./dashboard.js";
import { drawnFile } from "./fingerprint.js";
import * as guide from "./guide.js";

const drawn: Record<string, string> = {};
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
    for (const { draw, fingerprints } of [guide, dashboard, components]) {
        await draw(browser);
        Object.assign(drawn, await fingerprints());
    }
} finally {
    await browser.close();
}
await writeFile(drawnFile, `${JSON.stringify(drawn, undefined, 2)}\n`);
