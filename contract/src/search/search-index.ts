import { bestSections, type SearchHit, type TextOfPassage } from "./section-scores.js";
import { queryWords } from "./query-words.js";
import { pageScores } from "./page-scores.js";
import { RankedPassages } from "./ranked-passages.js";
import { pageOf } from "./term-passages.js";
import { synonymsOf } from "./synonyms.js";
import { isBegun, lookUp, type TermLists } from "./word-forms.js";

const noSynonyms: readonly (readonly string[])[] = [];

/** The maximum number of shards that a query loads for each word. */
const maxShards = 2;

/** Describes a scope, such as a language and version of the site, whose pages are searched together. */
export interface SearchScope {
    /** The names of all scopes, by their numbers. */
    readonly names: readonly string[];
    /** The divisions that define this scope: kinds (`language`, `version`, `product`) and names. */
    readonly path?: readonly (readonly [kind: string, name: string])[];
    /** Each tab, with the number of its first page. */
    readonly tabs: readonly (readonly [firstPage: number, tab: string])[];
    /** The name of the value with the language's stemmer. */
    readonly stemmer?: string;
    /** Groups of words with the same meaning. Absent in exports of earlier versions. */
    readonly synonyms?: readonly (readonly string[])[];
    /** The number of passages in the scope. */
    readonly passages: number;
    /** The first term of each shard. */
    readonly terms: readonly string[];
    /** The first reversed word of each shard. */
    readonly endings: readonly string[];
    /** Identifies the version of the whole index, which all scopes share. Absent in exports of earlier versions. */
    readonly version?: string;
    /** The versions of the index's files. Absent in exports of earlier versions, whose file names have no version. */
    readonly files?: FileVersions;
}

/** The versions of the files of each kind, one after the other, in the order of the files' numbers. */
interface FileVersions {
    readonly terms: string;
    readonly endings: string;
    /** Files with the versions of pages' texts. */
    readonly pages: string;
}

/** The length of a version, which ends the name of a file. */
const versionLength = 8;

/** The number of pages whose versions are in one file. */
export const pagesOfAVersionList = 256;

/** The maximum number of lists of versions that are loaded before it is known which pages match. */
const maxEarlyLists = 2;

/**
 * Returns a value of an export's index by its name: `N/scope`, `N/terms-N`, `N/endings-N`, `pages-N`, `text/N`,
 * `stemmer-NAME`. All names but the first end with a version, such as `text/3.1a2b3c4d`, so that no cache mixes the
 * files of two exports.
 */
export type IndexValues = (name: string) => Promise<unknown>;

interface SearchOptions {
    /** Limits the search to the pages of this tab. */
    readonly tab?: string | undefined;
    /** The number of passages that are examined at a time. */
    readonly max: number;
}

export interface SearchResult {
    /** Best first. */
    readonly hits: readonly SearchHit[];
    /** How many passages contain the words; each passage has one or more hits. */
    readonly total: number;
    /** The hits of the next passages. */
    readonly more: (from: number) => Promise<SearchHit[]>;
}

/**
 * Finds passages in the index of an export. Browsers, the MCP server and the search API rank results with this code.
 */
export class SearchIndex {
    /** @param scope the number of the part of the site to search */
    constructor(
        private readonly values: IndexValues,
        private readonly scope: number,
    ) {}

    async open(): Promise<SearchScope> {
        return (await this.values(`${this.scope}/scope`)) as SearchScope;
    }

    async find(query: string, { tab, max }: SearchOptions): Promise<SearchResult> {
        const facts = await this.open();
        const early = (facts.files?.pages.length ?? 0) / versionLength;
        for (let list = 0; early <= maxEarlyLists && list < early; list += 1) {
            // A failure is reported when the list is needed.
            this.#versionsOfPages(facts, list).catch(() => undefined);
        }
        const lists = await this.#listsOf(facts);
        const words = queryWords(query, lists.stem);
        const found = await Promise.all(words.map((word) => lookUp(lists, word)));
        if (isBegun(words.at(-1)?.term) && words.length > 1 && found.at(-1)?.scores.size === 0) {
            found.pop();
        }
        const ranked = new RankedPassages(found, (page) => tab === undefined || tabOf(facts, page) === tab);
        const hitsOf = async (from: number, to: number) => {
            const keys = ranked.slice(from, to);
            const scores = pageScores(found, new Set(keys.map((key) => pageOf(key).page)));
            const passages = await Promise.all(
                keys.map(async (key) => {
                    const { page, passage } = pageOf(key);
                    const name = passage === 0 ? `text/${page}` : `text/${page}-${passage}`;
                    const list = Math.floor(page / pagesOfAVersionList);
                    const version = versionAt(await this.#versionsOfPages(facts, list), page % pagesOfAVersionList);
                    const text = (await this.values(name + version)) as TextOfPassage;
                    return { tab: tabOf(facts, page), passage, text, pageScore: scores.get(page) ?? 0 };
                }),
            );
            return bestSections(passages, found);
        };
        return { hits: await hitsOf(0, max), total: ranked.total, more: (from) => hitsOf(from, from + max) };
    }

    async #versionsOfPages({ files }: SearchScope, list: number): Promise<string | undefined> {
        const name = `pages-${list}${versionAt(files?.pages, list)}`;
        return files === undefined ? undefined : ((await this.values(name)) as string);
    }

    async #listsOf(facts: SearchScope): Promise<TermLists> {
        const { stemmer, passages, synonyms = noSynonyms } = facts;
        const stem = (stemmer === undefined ? (word: string) => word : await this.values(`stemmer-${stemmer}`)) as (
            word: string,
        ) => string;
        return {
            passageCount: passages,
            stem,
            synonymsOf: (word) => synonymsOf(synonyms, word, stem),
            shards: async (list, from, to, near, before = 0) => {
                const shardOf = (term: string) => lastNotAfter(facts[list], term);
                const first = Math.max(0, shardOf(from), shardOf(near) - before);
                const last = Math.min(shardOf(to), first + maxShards - 1);
                const wanted: Promise<unknown>[] = [];
                for (let at = first; at <= last; at++) {
                    wanted.push(this.values(`${this.scope}/${list}-${at}${versionAt(facts.files?.[list], at)}`));
                }
                return (await Promise.all(wanted)) as string[];
            },
        };
    }
}

/** Returns the end of a file's name; empty for an export of an earlier version. */
function versionAt(versions: string | undefined, at: number): string {
    return versions === undefined ? "" : `.${versions.slice(at * versionLength, (at + 1) * versionLength)}`;
}

function tabOf({ tabs }: SearchScope, page: number): string {
    return tabs.findLast(([first]) => first <= page)?.[1] ?? "";
}

/** Returns the index of the last sorted string that is not greater than `text`; -1 if all are greater. */
function lastNotAfter(sorted: readonly string[], text: string): number {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (sorted[middle]! <= text) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low - 1;
}
