import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readCheckedFile, writeCheckedFile } from "../read/files/checked-file.js";

/**
 * Remembers between exports which models of a document get pages. Finding these models takes as long as writing all
 * pages of the document, even if all pages come from the cache.
 */
export class KnownModels {
    readonly #next = new Map<string, readonly string[]>();

    private constructor(
        private readonly path: string,
        private readonly last: ReadonlyMap<string, readonly string[]>,
    ) {}

    static open(cacheDir: string, domain: string): KnownModels {
        mkdirSync(cacheDir, { recursive: true });
        const path = join(cacheDir, `${encodeURIComponent(domain)}.models.json`);
        const content = readCheckedFile(path)?.toString("utf8") ?? "[]";
        return new KnownModels(path, new Map(JSON.parse(content) as [string, string[]][]));
    }

    /** @param key a digest of everything that the names depend on */
    async of(key: string, find: () => Promise<readonly string[]>): Promise<readonly string[]> {
        const names = this.last.get(key) ?? (await find());
        this.#next.set(key, names);
        return names;
    }

    /** Stores the model names of this export for the next one. */
    async save(): Promise<void> {
        if (this.#next.size !== this.last.size || [...this.#next.keys()].some((key) => !this.last.has(key))) {
            await writeCheckedFile(this.path, [JSON.stringify([...this.#next])]);
        }
    }
}
