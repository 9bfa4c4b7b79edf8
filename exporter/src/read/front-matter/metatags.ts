import { isPlain } from "../../text/json-values.js";

/** Contents of `<meta>` tags by their names. */
export type Metatags = Readonly<Record<string, string>>;

/** Tags that the theme depends on, or that another setting controls. */
const notForAuthors = new Set(["charset", "viewport", "color-scheme", "refresh", "canonical"]);

/** The tags in `seo.metatags` of `docs.json`, for every page. */
export function metatagsOfSite(values: Readonly<Record<string, unknown>>): Metatags {
    return pick(values, (name) => !notForAuthors.has(name));
}

/** The tags in front matter keys such as `og:title`, `twitter:card` and `robots`. */
export function metatagsOfPage(values: Readonly<Record<string, unknown>>): Metatags {
    return pick(values, (name) => name.includes(":") || name === "robots");
}

function pick(values: Readonly<Record<string, unknown>>, isWanted: (name: string) => boolean): Metatags {
    return Object.fromEntries(
        Object.entries(values).flatMap(([name, value]) =>
            /^[a-z][\w:.-]{0,60}$/i.test(name) && isWanted(name) && isPlain(value) ? [[name, String(value)]] : [],
        ),
    );
}

/** Whether the tag names a picture or another file that other sites must be able to fetch. */
export function isAddressTag(name: string): boolean {
    return /^(?:og|twitter):(?:image|video|audio)(?::(?:url|secure_url))?$/.test(name);
}
