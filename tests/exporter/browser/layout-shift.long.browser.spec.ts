import assert from "node:assert/strict";
import { type Page } from "playwright-core";
import { withServedSite } from "../../../dev/bench/search/served-site.js";
import { petsDocument } from "../support/pets-site.js";
import { withExport } from "../support/site-fixture.js";
import { useChromium, withReader } from "./chromium.js";

const tabs = '<Tabs>\n<Tab title="One">\nFirst text.\n</Tab>\n<Tab title="Two">\nSecond text.\n</Tab>\n</Tabs>';
const files = {
    "docs.json": JSON.stringify({
        navigation: {
            groups: [
                { group: "Start", pages: ["index"] },
                { group: "API", openapi: "pets.json" },
            ],
        },
    }),
    "index.mdx": `# Home\n\n${tabs}\n\n${"Many words. ".repeat(100)}\n`,
    "pets.json": JSON.stringify(petsDocument),
};

/** Sums up how far content moves while the page loads, as browsers measure it. */
const measure = `window.shifted = 0;
new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (window.shifted += value)))
    .observe({ type: "layout-shift", buffered: true });`;

const nextFrames = "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))";

describe("While a page loads", function () {
    this.timeout(60_000);
    const browser = useChromium();

    async function shiftOf(page: Page, url: string): Promise<number> {
        await page.addInitScript(measure);
        // Scripts arrive after the first view, as on a slow connection.
        await page.route("**/*.js", async (route) => {
            await page.evaluate(nextFrames);
            await route.continue();
        });
        await page.goto(url);
        await page.locator(".tabs.ready").first().waitFor();
        await page.evaluate(nextFrames);
        return page.evaluate<number>("window.shifted");
    }

    for (const [what, path] of [
        ["tabs", "index.html"],
        ["an operation", "api-reference/pets/get-a-pet.html"],
    ] as const) {
        for (const width of [390, 1280]) {
            it(`nothing moves on a page with ${what} in a window of ${width} pixels`, async () => {
                await withExport(files, ({ outDir }) =>
                    withServedSite(outDir, ({ url }) =>
                        withReader(
                            browser(),
                            async (page) => {
                                const shift = await shiftOf(page, `${url}/${path}`);
                                assert.ok(shift < 0.1, String(shift));
                            },
                            { viewport: { width, height: 800 } },
                        ),
                    ),
                );
            });
        }
    }

    it("all parts are shown if the script does not run", async () => {
        await withExport(files, ({ outDir }) =>
            withServedSite(outDir, ({ url }) =>
                withReader(browser(), async (page) => {
                    await page.route("**/*.js", (route) => route.abort());
                    await page.goto(`${url}/index.html`);
                    await page.getByText("Second text.").waitFor();
                    assert.equal(await page.locator(".tab-title", { hasText: "Two" }).isVisible(), true);
                }),
            ),
        );
    });
});
