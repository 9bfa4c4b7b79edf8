import { byRank, excerptOf, type SearchHit, upToThreeOfAPage } from "@pulumi-static-export/contract/search";
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
    /** The only version to search. By default, the first one of each product. */
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
    /** The tab or section of the site's navigation; empty if it has none. */
    readonly tab: string;
}

/** @param mayRead whether the reader may read a page's file */
export async function searchFolders(
    folders: readonly IndexFolder[],
    { query, max, language, version }: SearchRequest,
    mayRead: (file: string) => boolean,
): Promise<SiteHit[]> {
    const words = query.trim().split(/\s+/).slice(0, maxWords).join(" ");
    const found: SearchHit[] = [];
    for (const folder of folders) {
        const scopes = await folder.scopes();
        for (const scope of chosenScopes(scopes, { language, version })) {
            const { hits } = await folder.index(scope).find(words, { max: max * 2 });
            found.push(...hits.filter(({ page }) => mayRead(page)));
        }
    }
    return upToThreeOfAPage(found.sort(byRank)).slice(0, max).map(readableHit);
}

/** Divisions of a site that narrow a search. */
interface Divisions {
    readonly language?: string | undefined;
    readonly version?: string | undefined;
}

/** One scope for each product: the first one of the language and version. */
function chosenScopes(
    scopes: readonly { readonly path?: readonly (readonly [kind: string, name: string])[] }[],
    { language, version }: Divisions,
): number[] {
    const nameOf = (at: number, kind: string) => scopes[at]?.path?.find(([each]) => each === kind)?.[1];
    const wantedLanguage = language ?? nameOf(0, "language");
    const chosen = new Map<string | undefined, number>();
    for (const at of scopes.keys()) {
        const isWanted =
            isSame(nameOf(at, "language"), wantedLanguage) &&
            (version === undefined || isSame(nameOf(at, "version"), version));
        const product = nameOf(at, "product");
        if (isWanted && !chosen.has(product)) {
            chosen.set(product, at);
        }
    }
    return [...chosen.values()];
}

function isSame(name: string | undefined, wanted: string | undefined): boolean {
    return name?.toLowerCase() === wanted?.toLowerCase();
}

function readableHit({ page, id, title, heading, text, tab, terms }: SearchHit): SiteHit {
    const path = `${pathOf(page)}${id === "" ? "" : `#${encodeURIComponent(id)}`}`;
    return { path, title, heading, excerpt: excerptOf(text, terms, excerptSize), tab };
}
