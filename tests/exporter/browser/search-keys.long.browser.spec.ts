import assert from "node:assert/strict";
import { type Page } from "playwright-core";
import { useSitePages } from "./support/site-page.js";

const files = { "index.md": "# Home\n\nStart here.\n", "wombats.md": "# Wombats\n\nAll about wombats.\n" };

/** Whether the page uses a key itself. */
const isUsed = async (page: Page, selector: string, init: object): Promise<boolean> => {
    const event = `new KeyboardEvent("keydown", ${JSON.stringify({ ...init, bubbles: true, cancelable: true })})`;
    return !(await page.evaluate(`document.querySelector(${JSON.stringify(selector)}).dispatchEvent(${event})`));
};

describe("The keys of the search", function () {
    this.timeout(60_000);
    const withPage = useSitePages();

    it("leave Enter to the conversion of a Japanese or Chinese word", async () => {
        await withPage(files, async (page) => {
            await page.keyboard.press("/");
            await page.getByRole("combobox").fill("wombats");
            await page.locator("[role=option][aria-selected=true]").waitFor();
            assert.equal(await isUsed(page, "#search-input", { key: "Enter", isComposing: true }), false);
            assert.equal(await isUsed(page, "#search-input", { key: "Enter", keyCode: 229 }), false);
            assert.equal(await isUsed(page, "#search-input", { key: "ArrowDown", isComposing: true }), false);
            await page.keyboard.press("Enter");
            await page.waitForURL(/wombats\.html/);
        });
    });

    it("without Ctrl can be switched off and on in the search, on all pages", async () => {
        await withPage(files, async (page) => {
            const hint = page.locator(".search-open kbd");
            assert.equal(await hint.isVisible(), true);
            await page.keyboard.press("/");
            const setting = page.getByRole("switch", { name: "Single-key shortcuts (/ and ?)" });
            assert.equal(await setting.getAttribute("aria-checked"), "true");
            await setting.click();
            await page.reload();
            assert.equal(await hint.isVisible(), false);
            assert.equal(await isUsed(page, "body", { key: "/" }), false);
            assert.equal(await isUsed(page, "body", { key: "k", ctrlKey: true }), true);
            await setting.click();
            assert.equal(await setting.getAttribute("aria-checked"), "true");
            await page.keyboard.press("Escape");
            assert.equal(await hint.isVisible(), true);
            assert.equal(await isUsed(page, "body", { key: "/" }), true);
        });
    });
});
