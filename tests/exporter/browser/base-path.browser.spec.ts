import assert from "node:assert/strict";
import { withServedSite } from "../../../dev/bench/search/served-site.js";
import { withExport } from "../support/site-fixture.js";
import { useChromium } from "./chromium.js";

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';
const files = {
    "docs.json": JSON.stringify({
        navigation: { pages: ["index", "guides/start"] },
        redirects: [{ source: "/old", destination: "/guides/start" }],
        logo: "/logo.svg",
    }),
    "index.md": "# Home\n\n[start](/docs/guides/start) [old](/old) ![picture](/docs/picture.svg)\n",
    "guides/start.md": "# Start\n\n[home](/) ![picture](/picture.svg)\n\n## Renewal\n\nThe link expires.\n",
    "site.css": "article { background-image: url(/docs/back.svg) }",
    "picture.svg": picture,
    "back.svg": picture,
    "logo.svg": picture,
};

describe("an exported site under a path", function () {
    this.timeout(60_000);
    const browser = useChromium();

    it("loads all its files in a browser, and its links and search results work", async () => {
        await withExport(
            files,
            async ({ outDir }) => {
                await withServedSite(outDir, async ({ url }) => {
                    const page = await browser().newPage({ bypassCSP: true });
                    const missing: string[] = [];
                    page.on("response", (response) => response.status() !== 200 && missing.push(response.url()));
                    const start = /\/docs\/guides\/start\.html$/;
                    await page.goto(`${url}/index.html`);
                    await page.waitForURL(/\/docs\/index\.html$/);
                    for (const name of ["start", "old"]) {
                        await page.locator("article a", { hasText: name }).click();
                        await page.waitForURL(start);
                        await page.locator("article a", { hasText: "home" }).click();
                        await page.waitForURL(/\/docs\/index\.html$/);
                    }
                    await page.keyboard.press("/");
                    await page.locator("dialog[open] input").fill("expires");
                    await page.locator("[role=option][aria-selected=true]").waitFor();
                    await page.keyboard.press("Enter");
                    await page.waitForURL(/\/docs\/guides\/start\.html#renewal$/);
                    await page.goto(`${url}/404.html`);
                    assert.equal(await page.locator("article a").getAttribute("href"), "/docs/");
                    assert.deepEqual(missing, []);
                    await page.close();
                });
            },
            { basePath: "docs" },
        );
    });
});
