import { join } from "node:path";
import { type SitePage } from "./site-page.js";
import { readCheckedFile, writeCheckedFile } from "../files/checked-file.js";

/** What reading a page's file has told. */
export type KnownPage = Pick<SitePage, "route" | "meta" | "title" | "cacheKey" | "hasSource">;

interface Kept {
    /** Of what else the pages were read with; other settings make the list useless. */
    readonly basis: string;
    readonly pages: Readonly<Record<string, readonly [stamp: string, page: KnownPage]>>;
}

/**
 * What the last export has read in pages' files, so that a file whose stamp is the same need not be read again. A damaged
 * or missing list only costs time.
 */
export class KnownPages {
    readonly #path: string | undefined;
    readonly #last: Kept;
    readonly #next: Record<string, readonly [string, KnownPage]> = {};
    #basis = "";
    #hasNew = false;

    constructor(cacheDir: string | undefined, domain: string) {
        this.#path = cacheDir && join(cacheDir, `${encodeURIComponent(domain)}.sources.json`);
        this.#last = readKept(this.#path);
    }

    /** Call it before the others. @param basis a digest of what pages are read with, except their files */
    begin(basis: string): void {
        this.#basis = basis;
    }

    find(file: string, route: string, stamp: string | undefined): KnownPage | undefined {
        const kept =
            this.#last.basis === this.#basis && Object.hasOwn(this.#last.pages, file)
                ? this.#last.pages[file]
                : undefined;
        if (kept === undefined || kept[0] !== stamp || kept[1].route !== route) {
            return undefined;
        }
        this.#next[file] = kept;
        return kept[1];
    }

    /** @param stamp undefined for a file that may still change without a new one */
    keep(stamp: string | undefined, page: SitePage): void {
        const { file, route, meta, title, cacheKey, hasSource } = page;
        const hasDocument = meta.openapi !== undefined || meta.openapiSchema !== undefined;
        const isWhole = page.problems.length === 0 && page.operation === undefined && !hasDocument;
        // JSON has no form for an infinite number.
        const isJson = [meta.order, ...Object.values(meta.values ?? {})].every(
            (value) => typeof value !== "number" || Number.isFinite(value),
        );
        if (stamp !== undefined && isWhole && isJson) {
            this.#next[file] = [stamp, { route, meta, title, cacheKey, hasSource }];
            this.#hasNew = true;
        }
    }

    async save(): Promise<void> {
        const isSame = !this.#hasNew && Object.keys(this.#next).length === Object.keys(this.#last.pages).length;
        if (this.#path !== undefined && !isSame) {
            await writeCheckedFile(this.#path, [
                JSON.stringify({ basis: this.#basis, pages: this.#next } satisfies Kept),
            ]);
        }
    }
}

function readKept(path: string | undefined): Kept {
    const content = path === undefined ? undefined : readCheckedFile(path);
    return content === undefined ? { basis: "", pages: {} } : (JSON.parse(content.toString("utf8")) as Kept);
}
