import { decodeUri } from "@pulumi-static-export/contract";
import { installationOf, orMissing } from "@pulumi-static-export/contract/missing-package";
import type * as Playwright from "playwright-core";
import { type Browser, type BrowserContext, type Route } from "playwright-core";
import { UsageError } from "../command-line/usage-error.js";
import { type SiteFolder } from "./site-folder.js";

/** The site's address during printing: requests to it are answered here, and all others are refused. */
const origin = "http://site.invalid";
const diagramsTimeoutMs = 60_000;

const types: Readonly<Record<string, string>> = {
    css: "text/css",
    js: "text/javascript",
    svg: "image/svg+xml",
    png: "image/png",
    jpg: "image/jpeg",
    jpeg: "image/jpeg",
    gif: "image/gif",
    webp: "image/webp",
    avif: "image/avif",
    woff: "font/woff",
    woff2: "font/woff2",
};

interface PrintOptions {
    /**
     * Whether to add page numbers and structure for screen readers, which is possible only for a part that is the whole
     * document.
     */
    readonly isWhole: boolean;
}

/** Prints documents from a site's files with Chromium, without a network. */
export class ChromiumPrinter {
    /** Hosts to which requests for pictures or styles were refused. */
    readonly refusedHosts = new Set<string>();

    private constructor(
        private readonly browser: Browser,
        private readonly site: SiteFolder,
    ) {}

    /** @throws UsageError */
    static async start(executablePath: string, site: SiteFolder): Promise<ChromiumPrinter> {
        const { chromium } = await loadPlaywright();
        try {
            const browser = await chromium.launch({
                executablePath,
                args: ["--disable-gpu", "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND"],
                handleSIGINT: false,
                handleSIGTERM: false,
                handleSIGHUP: false,
            });
            return new ChromiumPrinter(browser, site);
        } catch (error) {
            const [reason] = String((error as Error).message).split("\n");
            throw new UsageError(`${executablePath} does not start: ${reason} Try another one with --browser.`);
        }
    }

    /** @returns the PDF */
    async print(html: string, { isWhole }: PrintOptions): Promise<Buffer> {
        // The code of pages does not run: the document contains only the diagrams' script.
        const context = await this.browser.newContext({ colorScheme: "light", serviceWorkers: "block" });
        try {
            await context.route(
                () => true,
                (route) => this.#answer(route, html),
            );
            const page = await this.#open(context);
            return await page.pdf({
                format: "A4",
                margin: { top: "18mm", bottom: "18mm", left: "16mm", right: "16mm" },
                printBackground: true,
                tagged: isWhole,
                outline: isWhole,
                ...(isWhole && {
                    displayHeaderFooter: true,
                    headerTemplate: "<span></span>",
                    footerTemplate:
                        '<div style="width:100%;text-align:center;font-size:8px"><span class="pageNumber"></span></div>',
                }),
                // There is no time limit: interrupting the command ends the browser.
                timeout: 0,
            } as Parameters<typeof page.pdf>[0]);
        } finally {
            await context.close();
        }
    }

    async close(): Promise<void> {
        await this.browser.close();
    }

    async #open(context: BrowserContext) {
        const page = await context.newPage();
        await page.emulateMedia({ media: "print" });
        await page.goto(`${origin}/`, { timeout: 0 });
        const isDrawing = await page.evaluate(
            "typeof staticExportDrawDiagrams === 'function' && (staticExportDrawDiagrams(() => false), true)",
        );
        if (isDrawing === true) {
            const isDone = "[...document.querySelectorAll('.mermaid')].every((each) => each.dataset.processed)";
            // Prints a diagram as text if it cannot be drawn.
            await page.waitForFunction(isDone, undefined, { timeout: diagramsTimeoutMs }).catch(() => undefined);
        }
        await page.evaluate("document.fonts.ready.then(() => undefined)");
        return page;
    }

    async #answer(route: Route, html: string): Promise<void> {
        const { protocol, hostname, pathname, href } = new URL(route.request().url());
        if (!href.startsWith(`${origin}/`)) {
            if (protocol === "http:" || protocol === "https:") {
                this.refusedHosts.add(hostname);
            }
            return route.abort();
        }
        if (pathname === "/") {
            return route.fulfill({ contentType: "text/html; charset=utf-8", body: html });
        }
        const body = await this.site.read(decodeUri(pathname.slice(1)));
        const contentType = types[/\.([a-z0-9]+)$/i.exec(pathname)?.[1]?.toLowerCase() ?? ""];
        return body === undefined || contentType === undefined ? route.abort() : route.fulfill({ contentType, body });
    }
}

async function loadPlaywright(): Promise<typeof Playwright> {
    return orMissing(
        import("playwright-core"),
        () =>
            new UsageError(
                "A PDF needs playwright-core, which is not installed: run " +
                    `${installationOf(["playwright-core"])}. It downloads no browser.`,
            ),
    );
}
