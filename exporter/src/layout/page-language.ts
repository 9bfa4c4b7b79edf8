import { hasWords } from "../words/words.js";

export interface PagePlace {
    readonly route: string;
    /** What the page's front matter calls `lang`. */
    readonly lang: unknown;
    /** The language of the navigation that lists the page. */
    readonly ofNavigation: string | undefined;
    /** All pages of the site by route. */
    readonly pages: ReadonlyMap<string, string>;
}

/**
 * The code of a page's language: what the navigation or the page itself says, or else the folder of a language that has
 * the page beside another one (`fr/start` beside `start` or `en/start`). Undefined if nothing tells.
 */
export function pageLanguage({ route, lang, ofNavigation, pages }: PagePlace): string | undefined {
    if (ofNavigation !== undefined) {
        return ofNavigation;
    }
    if (typeof lang === "string" && /^[a-z]{2,3}(?:[-_][a-z\d]{2,8})*$/i.test(lang)) {
        return lang;
    }
    const slash = route.indexOf("/");
    const folder = slash === -1 ? route : route.slice(0, slash);
    const inFolder = slash === -1 ? "index" : route.slice(slash + 1);
    if (!/^[a-z]{2}(?:-[a-z]{2,4})?$/i.test(folder) || !hasWords(folder)) {
        return undefined;
    }
    const others = [inFolder, slash === -1 ? "en" : `en/${inFolder}`].filter((other) => other !== route);
    return others.some((other) => pages.has(other)) ? folder : undefined;
}
