import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type BrowserContextOptions, type Page } from "playwright-core";
import { type ExportedSite, type Files, withExport } from "../../support/site-fixture.js";
import { useChromium, withReader } from "../chromium.js";

export interface SitePageOptions extends BrowserContextOptions {
    /** @default "index.html" */
    readonly file?: string;
    /** A script that runs before the page's scripts. */
    readonly init?: string;
}

type WithSitePage = (
    files: Files,
    use: (page: Page, site: ExportedSite) => Promise<void>,
    options?: SitePageOptions,
) => Promise<void>;

/**
 * Provides a function for a suite that exports a site, opens a page of it from disk, and removes everything afterwards.
 */
export function useSitePages(browser = useChromium()): WithSitePage {
    return (files, use, { file = "index.html", init = "", ...options } = {}) =>
        withExport(files, async (site) => {
            const open = async (page: Page) => {
                await page.addInitScript(init);
                await page.goto(pathToFileURL(join(site.outDir, file)).href);
                await use(page, site);
            };
            await withReader(browser(), open, options);
        });
}
