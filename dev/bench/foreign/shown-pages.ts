import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Browser, type Page } from "playwright-core";
import { StaticServer } from "../side-by-side/static-server.js";
import { unescapeHtml } from "./unescape-html.js";

/** The visible part of an exported page in a browser. */
export interface ShownPage {
    /** Whether nothing is visible before the first click. */
    readonly isBlank: boolean;
    readonly title: string;
    readonly description: string;
    /** The text that is visible at first, or after a click. */
    readonly text: string;
    /** Text that readers get from pictures, hints, menus and formulas. */
    readonly others: readonly string[];
    /** The method and path of the operation that the page documents, if any. */
    readonly operation: string;
    /** The names of the operation's fields. */
    readonly fields: readonly string[];
}

const inPage = await readFile(fileURLToPath(new URL("shown-in-page.js", import.meta.url)), "utf8");

/** Opens the pages of an exported site, one after another, in a browser without a connection to other servers. */
export class ShownPages {
    private constructor(
        private readonly folder: string,
        private readonly server: StaticServer,
        private readonly page: Page,
    ) {}

    static async open(browser: Browser, folder: string): Promise<ShownPages> {
        const server = await StaticServer.start(folder);
        const context = await browser.newContext({ reducedMotion: "reduce" });
        await context.route(
            (url) => url.origin !== new URL(server.url("/")).origin || /\.(?!html|css|m?js)\w+$/.test(url.pathname),
            (route) => route.abort(),
        );
        return new ShownPages(folder, server, await context.newPage());
    }

    /** @returns undefined for a redirect */
    async read(file: string): Promise<ShownPage | undefined> {
        const html = await readFile(`${this.folder}/${file}`, "utf8");
        if (!html.includes("<main")) {
            return undefined;
        }
        await this.page.goto(this.server.url(`/${file.split("/").map(encodeURIComponent).join("/")}`));
        const shown: ShownPage = await this.page.evaluate(inPage);
        return { ...shown, others: [...shown.others, ...sourcesOfDiagrams(html)] };
    }

    async close(): Promise<void> {
        await this.page.context().close();
        this.server.stop();
    }
}

/** Returns the source text of diagrams; a browser shows only the drawings. */
function sourcesOfDiagrams(html: string): string[] {
    return [...html.matchAll(/<pre class="mermaid"[^>]*>([^<]*)</g)].map(([, text = ""]) => unescapeHtml(text));
}
