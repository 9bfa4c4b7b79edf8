import { type IndexValues, type SearchHit, SearchIndex, type SearchScope } from "@pulumi-static-export/contract/search";
import { LRUCache } from "lru-cache";
import { type SiteFiles } from "./site-files.js";

/** The approximate memory limit for the values of all indexes, in characters. */
const maxCachedCharacters = 96 * 1024 * 1024;

/** The folder of the public pages' index. The indexes of other parts of the site are in `_private/N/search`. */
export const publicIndex = "static-export/search";

/** Caches the index values that searches of a site have read. */
type ValueCache = LRUCache<string, { readonly value: unknown; readonly characters: number }>;

/** How many of the latest searches of each part of a site are cached, because readers repeat each other's searches. */
const maxCachedSearches = 500;

export function createValueCache(): ValueCache {
    return new LRUCache({ maxSize: maxCachedCharacters, sizeCalculation: ({ characters }) => characters + 1 });
}

/** A part of a site that can be searched, with the numbers of its scopes. */
export class IndexFolder {
    #scopes: Promise<readonly SearchScope[]> | undefined;
    readonly #reading = new Map<string, Promise<unknown>>();
    readonly #searches = new LRUCache<string, readonly SearchHit[]>({ max: maxCachedSearches });

    constructor(
        private readonly files: Pick<SiteFiles, "read">,
        private readonly folder: string,
        private readonly cache: ValueCache,
    ) {}

    /** All scopes; empty for a site that was exported without search. */
    scopes(): Promise<readonly SearchScope[]> {
        this.#scopes ??= this.#readScopes();
        this.#scopes.catch(() => (this.#scopes = undefined));
        return this.#scopes;
    }

    /**
     * The best hits, without a check of who may read their pages.
     *
     * @param scope the number of the scope
     * @param max the number of passages to examine
     */
    async find(scope: number, words: string, max: number): Promise<readonly SearchHit[]> {
        const search = JSON.stringify([scope, words, max]);
        const cached = this.#searches.get(search);
        if (cached !== undefined) {
            return cached;
        }
        const { hits } = await new SearchIndex(this.#values, scope).find(words, { max });
        this.#searches.set(search, hits);
        return hits;
    }

    async #readScopes(): Promise<readonly SearchScope[]> {
        const first = (await this.#read("0/scope")) as SearchScope | undefined;
        if (first === undefined) {
            return [];
        }
        const others = first.names.slice(1).map((_, at) => this.#values(`${at + 1}/scope`) as Promise<SearchScope>);
        return [first, ...(await Promise.all(others))];
    }

    readonly #values: IndexValues = async (name) => {
        const value = await this.#read(name);
        if (value === undefined) {
            throw new Error(`The site's search index has no entry ${name}. Export the site again.`);
        }
        return value;
    };

    async #read(name: string): Promise<unknown> {
        if (name.startsWith("stemmer-")) {
            return readStemmer(name.slice("stemmer-".length));
        }
        const file = `${this.folder}/${name}.js`;
        const cached = this.cache.get(file);
        if (cached !== undefined) {
            return cached.value;
        }
        const reading = this.#reading.get(file) ?? this.#readFile(file).finally(() => this.#reading.delete(file));
        this.#reading.set(file, reading);
        return reading;
    }

    async #readFile(file: string): Promise<unknown> {
        const text = await this.files.read(file);
        if (text === undefined) {
            return undefined;
        }
        const value = valueOf(text, file);
        this.cache.set(file, { value, characters: text.length });
        return value;
    }
}

/** Reads the script `staticExportSearch(name,value);` as data, because code from an archive is never run here. */
function valueOf(script: string, file: string): unknown {
    const values = script.slice(script.indexOf("(") + 1, script.lastIndexOf(")"));
    try {
        return (JSON.parse(`[${values}]`) as unknown[])[1];
    } catch {
        throw new Error(`${file} of the site cannot be read. Export the site again.`);
    }
}

/**
 * Uses this package's stemmer, because the site's copy is a script.
 *
 * @param name the language, and the version of the site's copy
 */
async function readStemmer(name: string): Promise<(word: string) => string> {
    const [, language] = /^([a-z]+)(?:\.[\da-f]{8})?$/.exec(name) ?? [];
    if (language === undefined) {
        throw new Error(`The site's search names the stemmer ${JSON.stringify(name)}, which does not exist.`);
    }
    const { stemmer } = (await import(`@orama/stemmers/${language}`)) as { stemmer: (word: string) => string };
    return stemmer;
}
