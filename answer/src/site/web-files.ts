import { createProxyAgent } from "@pulumi-static-export/contract/proxy";
import { bundleFactsFile, parseBundleFacts } from "@pulumi-static-export/contract";
import fetch from "node-fetch";
import { hash } from "node:crypto";
import { firstScope, maxFileBytes, type SiteFiles } from "./site-files.js";

const timeoutMs = 20_000;

/** No export has this page. */
const noPage = "static-export/no-page.html";

/** Matches files of the search index. */
const hasVersionInName = /\.[\da-f]{8}\.js$/;

/** How long a site counts as unchanged, because each version check is a request. */
const sameVersionMs = 10_000;

interface WebFilesOptions {
    /** Milliseconds of a monotonic clock. */
    readonly nowMs?: () => number;
}

/** The statuses with which servers refuse a file that is missing, or that requires an account. */
const missingStatuses = new Set([401, 403, 404]);

/** A site that is read over HTTP, without an account. Uses HTTPS_PROXY and related variables. */
export class WebFiles implements SiteFiles {
    readonly #address: URL;
    /** The root of the site's files, which may be below the address. */
    #base: URL;
    #agent: ReturnType<typeof createProxyAgent> | undefined;

    readonly #nowMs: () => number;
    #version: { readonly id: Promise<string>; readonly atMs: number } | undefined;

    /** @param address the address of the site's root, such as https://docs.example.com/ */
    constructor(address: URL, { nowMs = () => performance.now() }: WebFilesOptions = {}) {
        this.#nowMs = nowMs;
        this.#address = new URL(address.pathname.endsWith("/") ? address : `${address.origin}${address.pathname}/`);
        this.#base = this.#address;
    }

    /** The server decides which version of a page it sends, so this only identifies the version of the search. */
    version(): Promise<string> {
        const atMs = this.#nowMs();
        if (this.#version === undefined || atMs - this.#version.atMs >= sameVersionMs) {
            this.#version = { id: this.#readVersion(), atMs };
            this.#version.id.catch(() => (this.#version = undefined));
        }
        return this.#version.id;
    }

    async #readVersion(): Promise<string> {
        this.#base = this.#address;
        const { basePath = "" } = parseBundleFacts((await this.read(bundleFactsFile)) ?? "") ?? {};
        if (basePath !== "" && this.#address.pathname === "/") {
            this.#base = new URL(`/${basePath}/`, this.#address);
        }
        const scope = await this.read(firstScope);
        return hash("sha256", scope ?? (await this.read("llms.txt")) ?? "");
    }

    get basePath(): string {
        return this.#base.pathname.replace(/^\/|\/$/g, "");
    }

    /** Whether the host sends the same text for a page that does not exist. */
    async #isFallback(file: string, text: string): Promise<boolean> {
        return file !== "index.html" && file !== noPage && (await this.read(noPage)) === text;
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
            const isPage = /^text\/html/i.test(response.headers.get("content-type") ?? "");
            const text = await response.text();
            // Some hosts answer with their start page instead of a 404.
            const isMissing = isPage && (file.endsWith(".html") ? await this.#isFallback(file, text) : true);
            return isMissing ? undefined : text;
        }
        response.body?.resume();
        if (missingStatuses.has(response.status)) {
            if (hasVersionInName.test(file)) {
                // The site may have another version.
                this.#version = undefined;
            }
            return undefined;
        }
        throw new Error(`${this.#base.origin} answered with status ${response.status}. Try again later.`);
    }
}
