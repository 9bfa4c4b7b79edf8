import { EventEmitter, once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Page } from "playwright-core";
import { type FakeService } from "./services.js";

export interface Received {
    readonly name: string;
    readonly data?: Readonly<Record<string, unknown>>;
}

export interface RoutedSite {
    /** The addresses outside of the site that the page requested, except events. */
    readonly asked: string[];
    /** The events that services received. */
    readonly received: Received[];
    /** Waits until `count` events of this name have arrived (one by default). */
    readonly arrival: (name: string, count?: number) => Promise<void>;
    /** The browser's messages about refused requests. */
    readonly refused: string[];
}

const types: Readonly<Record<string, string>> = { js: "text/javascript", css: "text/css", html: "text/html" };

/**
 * Answers all requests of a page. Requests to `docs.example.com` and `preview.example.com` get the site's files;
 * requests to services get the answers of fake services. The browser checks the page's policy before each request.
 */
export async function routeSite(page: Page, outDir: string, services: readonly FakeService[]): Promise<RoutedSite> {
    const arrivals = new EventEmitter();
    const site: RoutedSite = {
        asked: [],
        received: [],
        refused: [],
        arrival: async (name, count = 1) => {
            while (site.received.filter((each) => each.name === name).length < count) {
                await once(arrivals, "event");
            }
        },
    };
    page.on("console", (message) => {
        if (message.text().includes("Content Security Policy")) {
            site.refused.push(message.text());
        }
    });
    await page.route("**/*", async (route) => {
        const address = route.request().url();
        const { hostname, pathname } = new URL(address);
        const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
        if (hostname === "docs.example.com" || hostname === "preview.example.com") {
            const file = decodeURIComponent(pathname.slice(1));
            const content = await readFile(join(outDir, file)).catch(() => undefined);
            const contentType = types[file.split(".").at(-1) ?? ""] ?? "application/octet-stream";
            await route.fulfill(content === undefined ? { status: 404 } : { body: content, contentType });
            return;
        }
        const service = services.find(({ receiver, script }) => [receiver, script].includes(address));
        if (service?.receiver === address && route.request().method() === "POST") {
            site.received.push(route.request().postDataJSON() as Received);
            arrivals.emit("event");
            await route.fulfill({ status: 200, headers });
            return;
        }
        site.asked.push(address);
        const report =
            `const report = (name, data) => fetch(${JSON.stringify(service?.receiver)}, ` +
            `{ method: "POST", mode: "no-cors", body: JSON.stringify({ name, data }) });`;
        await route.fulfill({
            headers,
            contentType: "text/javascript",
            body: service === undefined ? "" : `(() => { ${report} ${service.program} })();`,
        });
    });
    return site;
}
