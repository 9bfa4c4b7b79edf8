import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Page } from "playwright-core";
import { exportSite } from "../../../exporter/src/write/export-site.js";
import { type Files, writeFiles } from "../support/site-fixture.js";
import { axeViolations, useChromium, withReader } from "./chromium.js";

const range = (count: number) => Array.from({ length: count }, (_, at) => at);
const name = (at: number) => `p${String(at).padStart(4, "0")}`;
const page = (title: string) => `---\ntitle: ${title}\n---\n\nText.\n`;

const groups = range(90).map((group) => ({
    group: `Group ${group}`,
    pages: [
        ...range(4).map((at) => `g${group}/${name(at)}`),
        // Each group has a page with the same name.
        { group: "Inner", pages: [`g${group}/inner`] },
    ],
}));
const flat = range(700).map((at) => `flat/${name(at)}`);
const files: Files = {
    "docs.json": JSON.stringify({
        name: "Docs",
        navigation: {
            tabs: [
                { tab: "Groups", groups },
                { tab: "Flat", pages: flat },
            ],
        },
    }),
    ...Object.fromEntries(
        groups.flatMap((_, group) => [
            ...range(4).map((at) => [`g${group}/${name(at)}.md`, page(`Page ${group}.${at}`)] as const),
            [`g${group}/inner.md`, page(`Inner ${group}`)] as const,
        ]),
    ),
    ...Object.fromEntries(flat.map((route, at) => [`${route}.md`, page(`Flat ${at}`)])),
};

describe("the page list of a large site in a browser", function () {
    this.timeout(120_000);
    const browser = useChromium();

    let folder: string;
    let outDir: string;

    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "long-lists-"));
        outDir = join(folder, "out");
        await writeFiles(join(folder, "site"), files);
        await exportSite({ sourceDir: join(folder, "site"), outDir, domain: "docs.example.com" });
    });

    after(() => rm(folder, { recursive: true, force: true }));

    /** Opens the site from disk, where pages can only load scripts. */
    const open = (tab: Page, file: string) => tab.goto(pathToFileURL(join(outDir, file)).href);
    const link = (tab: Page, title: string) => tab.locator("#sidebar").getByRole("link", { name: title, exact: true });
    const summary = (tab: Page, title: string) =>
        tab.locator("#sidebar summary").filter({ hasText: new RegExp(`^${title}$`) });

    it("unfolds both ends of a list in steps, unfolds other groups, and contains working links", async () => {
        await withReader(browser(), async (tab) => {
            const requests: string[] = [];
            tab.on("request", (request) => requests.push(request.url()));
            await open(tab, "flat/p0350.html");
            assert.ok(requests.every((url) => !/pages\/\d+\.js$/.test(url)));
            await summary(tab, "Flat 365 – Flat 699").click();
            await summary(tab, "Flat 565 – Flat 699").click();
            await link(tab, "Flat 699").waitFor();
            await summary(tab, "Flat 0 – Flat 334").click();
            await summary(tab, "Flat 0 – Flat 199").click();
            assert.equal(await link(tab, "Flat 365").count(), 0);
            await link(tab, "Flat 42").click();
            await tab.waitForURL(/flat\/p0042\.html$/);
            assert.equal(requests.filter((url) => /pages\/1\.js$/.test(url)).length, 1);

            await open(tab, "g45/p0001.html");
            await summary(tab, "Group 46").click();
            await link(tab, "Page 46.3").waitFor();
            await summary(tab, "Inner").last().click();
            await link(tab, "Inner 46").click();
            await tab.waitForURL(/g46\/inner\.html$/);
        });
    });

    it("shows the current page without a click, and links to the previous and next page", async () => {
        await withReader(browser(), async (tab) => {
            await open(tab, "flat/p0340.html");
            const current = tab.locator("#sidebar [aria-current=page]");
            assert.equal(await current.textContent(), "Flat 340");
            const box = await current.boundingBox();
            const { height } = tab.viewportSize() ?? { height: 0 };
            assert.ok(box !== null && box.y > 0 && box.y + box.height <= height, JSON.stringify(box));
            assert.equal(await link(tab, "Flat 339").count(), 1);
            assert.equal(await tab.locator("a[rel=next]").getAttribute("href"), "p0341.html");
        });
    });

    it("can be used by keyboard alone", async () => {
        await withReader(browser(), async (tab) => {
            await open(tab, "g45/p0001.html");
            await summary(tab, "Group 46").focus();
            await tab.keyboard.press("Enter");
            await link(tab, "Page 46.0").waitFor();
            assert.equal(await tab.evaluate("document.activeElement.textContent"), "Group 46");
            await tab.keyboard.press("Tab");
            assert.equal(await tab.evaluate("document.activeElement.textContent"), "Page 46.0");
            await tab.keyboard.press("Shift+Tab");
            await tab.keyboard.press("Space");
            await link(tab, "Page 46.0").waitFor({ state: "hidden" });
        });
    });

    it("passes axe when folded, when unfolded, in the mobile menu, and on the pages with lists", async () => {
        await withReader(browser(), async (tab) => {
            await open(tab, "g45/p0001.html");
            assert.deepEqual(await axeViolations(tab), []);
            await summary(tab, "Group 46").click();
            await link(tab, "Page 46.3").waitFor();
            assert.deepEqual(await axeViolations(tab), []);
            await open(tab, "static-export/pages/1-0-1.html");
            assert.deepEqual(await axeViolations(tab), []);
        });
        const mobile = { viewport: { width: 390, height: 800 } };
        await withReader(
            browser(),
            async (tab) => {
                await open(tab, "flat/p0340.html");
                await tab.getByRole("button", { name: "Menu" }).click();
                await summary(tab, "Flat 365 – Flat 699").click();
                await summary(tab, "Flat 365 – Flat 564").click();
                await link(tab, "Flat 365").waitFor();
                assert.deepEqual(await axeViolations(tab), []);
                await link(tab, "Flat 365").click();
                await tab.waitForURL(/flat\/p0365\.html$/);
            },
            mobile,
        );
    });

    it("links to the page with the list if the section's file does not load", async () => {
        await withReader(browser(), async (tab) => {
            await tab.route(/pages\/1\.js$/, (route) => route.abort());
            await open(tab, "flat/p0350.html");
            await summary(tab, "Flat 365 – Flat 699").click();
            await tab.waitForURL(/static-export\/pages\/1-0-1\.html$/);
            await tab.locator("article").getByRole("link", { name: "Flat 365", exact: true }).click();
            await tab.waitForURL(/flat\/p0365\.html$/);
        });
    });

    it("works as plain links without scripts", async () => {
        await withReader(
            browser(),
            async (tab) => {
                await open(tab, "flat/p0350.html");
                await link(tab, "Flat 0 – Flat 334").click();
                await tab.waitForURL(/static-export\/pages\/1-0-1\.html$/);
                await tab.locator("a[rel=prev]").click();
                await tab.locator("article").getByRole("link", { name: "Flat 42", exact: true }).click();
                await tab.waitForURL(/flat\/p0042\.html$/);
            },
            { javaScriptEnabled: false },
        );
    });
});
