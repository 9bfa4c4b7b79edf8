import { createProxyAgent } from "@pulumi-static-export/contract/proxy";
import fetch from "node-fetch";
import { maxFileBytes, type SiteFiles } from "./site-files.js";

const timeoutMs = 20_000;

/** The statuses with which servers refuse a file that is missing, or that requires an account. */
const missingStatuses = new Set([401, 403, 404]);

/** A site that is read over HTTP, without an account. Uses HTTPS_PROXY and related variables. */
export class WebFiles implements SiteFiles {
    readonly #base: URL;
    #agent: ReturnType<typeof createProxyAgent> | undefined;

    /** @param address the address of the site's root, such as https://docs.example.com/ */
    constructor(address: URL) {
        this.#base = new URL(address.pathname.endsWith("/") ? address : `${address.origin}${address.pathname}/`);
    }

    /** Returns no access rules: the server decides which pages a reader without an account gets. */
    readRules(): Promise<undefined> {
        return Promise.resolve(undefined);
    }

    async read(file: string): Promise<string | undefined> {
        const url = new URL(file.split("/").map(encodeURIComponent).join("/"), this.#base);
        const agent = await (this.#agent ??= createProxyAgent(this.#base.href));
        const response = await fetch(url, {
            signal: AbortSignal.timeout(timeoutMs),
            size: maxFileBytes,
            ...(agent !== undefined && { agent }),
        });
        if (response.ok) {
            return response.text();
        }
        response.body?.resume();
        if (missingStatuses.has(response.status)) {
            return undefined;
        }
        throw new Error(`${this.#base.origin} answered with status ${response.status}. Try again later.`);
    }
}
