import {
    byRank,
    excerptOf,
    type SearchHit,
    type SearchScope,
    upToThreeOfAPage,
} from "@pulumi-static-export/contract/search";
import { type IndexFolder } from "./index-folder.js";
import { pathOf } from "./page-path.js";

/** The maximum number of words in a query, because each word may read two shards of the index. */
const maxWords = 16;
const excerptSize = { before: 80, length: 320 };

export interface SearchRequest {
    readonly query: string;
    /** The maximum number of hits. */
    readonly max: number;
    /** The code of the only language to search, such as `fr`. By default, the language of the site's first pages. */
    readonly language?: string | undefined;
    /** The only version to search. By default, the first version of each product. */
    readonly version?: string | undefined;
}

/** A section that matches a query. */
export interface SiteHit {
    /** The path from the site's root, such as `/guides/start#install`. */
    readonly path: string;
    readonly title: string;
    /** The section's heading; empty for the beginning of the page. */
    readonly heading: string;
    /** The text around the first word that was found. */
    readonly excerpt: string;
    /** The page's tab or section in the site's navigation; empty if the page has none. */
    readonly tab: string;
}

/** A search of a site that was exported without search. */
export class NoSearchError extends Error {}

/** A search for a language or version that the site does not have; the message lists the available ones. */
export class UnknownDivisionError extends Error {}

/**
 * @param mayRead whether the reader may read a page's file
 * @throws UnknownDivisionError
 */
export async function searchFolders(
    folders: readonly IndexFolder[],
    { query, max, ...divisions }: SearchRequest,
    mayRead: (file: string) => boolean,
): Promise<SiteHit[]> {
    const words = query.trim().split(/\s+/).slice(0, maxWords).join(" ");
    // An empty text does not filter.
    const [language, version] = [divisions.language?.trim() || undefined, divisions.version?.trim() || undefined];
    const found: SearchHit[] = [];
    const known: Scope[] = [];
    let isFound = false;
    for (const folder of folders) {
        const scopes = await folder.scopes();
        known.push(...scopes);
        for (const scope of chosenScopes(scopes, { language, version })) {
            isFound = true;
            const hits = await folder.find(scope, words, max * 2);
            found.push(...hits.filter(({ page }) => mayRead(page)));
        }
    }
    if (!isFound && known.length > 0) {
        throw new UnknownDivisionError(missingDivision(known, { language, version }));
    }
    return upToThreeOfAPage(found.sort(byRank)).slice(0, max).map(readableHit);
}

/** Divisions of a site that narrow a search. */
interface Divisions {
    readonly language?: string | undefined;
    readonly version?: string | undefined;
}

type Scope = Pick<SearchScope, "path">;

/** Chooses one scope for each product: the first one with the language and version. */
function chosenScopes(scopes: readonly Scope[], { language, version }: Divisions): number[] {
    const nameOf = (at: number, kind: string) => nameIn(scopes[at], kind);
    const wantedLanguage = language ?? languageOf(scopes[0]);
    const chosen = new Map<string | undefined, number>();
    for (const at of scopes.keys()) {
        const isWanted =
            isSame(languageOf(scopes[at]), wantedLanguage) &&
            (version === undefined || isSame(nameOf(at, "version"), version));
        const product = nameOf(at, "product");
        if (isWanted && !chosen.has(product)) {
            chosen.set(product, at);
        }
    }
    return [...chosen.values()];
}

function nameIn(scope: Scope | undefined, kind: string): string | undefined {
    return scope?.path?.find(([each]) => each === kind)?.[1];
}

/** Pages without a language are in English. */
function languageOf(scope: Scope | undefined): string {
    return nameIn(scope, "language") ?? "en";
}

/** Explains why nothing was searched. */
function missingDivision(scopes: readonly Scope[], { language, version }: Divisions): string {
    const inLanguage = scopes.filter((scope) => language === undefined || isSame(languageOf(scope), language));
    const [kind, wanted, among] =
        language !== undefined && inLanguage.length === 0
            ? (["language", language, scopes] as const)
            : (["version", version, inLanguage] as const);
    const names = [...new Set(among.flatMap((scope) => nameIn(scope, kind) ?? []))];
    const place = kind === "version" && language !== undefined ? ` in ${JSON.stringify(language)}` : "";
    return names.length === 0
        ? `This site has only one ${kind}${place}: search without ${kind}.`
        : `This site has no ${kind} ${JSON.stringify(wanted)}${place}. It has ${names.join(", ")}.`;
}

function isSame(name: string | undefined, wanted: string | undefined): boolean {
    return name?.toLowerCase() === wanted?.toLowerCase();
}

function readableHit({ page, id, title, heading, text, tab, terms }: SearchHit): SiteHit {
    const path = `${pathOf(page)}${id === "" ? "" : `#${encodeURIComponent(id)}`}`;
    return { path, title, heading, excerpt: excerptOf(text, terms, excerptSize), tab };
}
