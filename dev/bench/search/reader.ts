import { type Browser, type Page } from "playwright-core";

/** Opens the search of a page with its keyboard shortcut. */
export async function openSearch(browser: Browser, url: string): Promise<Page> {
    const page = await browser.newPage();
    await page.goto(url, { waitUntil: "load" });
    await page.keyboard.press("/");
    await page.getByText("Type to search.").waitFor();
    return page;
}

/** Enters a whole query in one step, and returns the time until its answer is on the page. */
export function answerMs(page: Page, query: string): Promise<number> {
    return page.evaluate(`new Promise((resolve) => {
        const input = document.querySelector("dialog.search input");
        const startedMs = performance.now();
        const observer = new MutationObserver(() => {
            observer.disconnect();
            // The time includes layout.
            document.querySelector("dialog.search").getBoundingClientRect();
            resolve(performance.now() - startedMs);
        });
        const options = { childList: true, subtree: true, characterData: true };
        observer.observe(document.querySelector("dialog.search"), options);
        input.value = ${JSON.stringify(query)};
        input.dispatchEvent(new Event("input"));
    })`);
}

export const hitCount = (page: Page): Promise<number> => page.locator("dialog.search [role=option]").count();
