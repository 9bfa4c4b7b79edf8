import { type SitePage } from "../../plan/site-page.js";
import { hasWords } from "../../words/words.js";

/**
 * The code of a page's language: what the navigation or the page itself says, or else the folder of a language that has
 * the page beside another one (`fr/start` beside `start` or `en/start`). Undefined if nothing tells.
 *
 * @param ofNavigation the language of the navigation that lists the page
 * @param routes of all pages of the site
 */
export function pageLanguage(
    { route, meta }: SitePage,
    ofNavigation: string | undefined,
    routes: ReadonlyMap<string, unknown>,
): string | undefined {
    const lang = meta.values?.["lang"];
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
    return others.some((other) => routes.has(other)) ? folder : undefined;
}
