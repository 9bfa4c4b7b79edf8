import { nearestName } from "../../text/nearest-name.js";
import { type Field, pageFields } from "./page-fields.js";

/** A key of front matter that is not known, but similar to a known key. */
interface MisspelledKey {
    readonly key: string;
    readonly meant: string;
}

/** Shorter names are similar to too many other words, such as `tag` to `tab`. */
const minLength = 5;

const keysToSuggest: readonly string[] = [
    ...Object.entries<Field<unknown>>(pageFields).map(([name, { key = name }]) => key),
    "groups",
    "public",
    "robots",
].filter((key) => key.length >= minLength);

/** Keys that sites use for other purposes, although they are similar to known keys. */
const otherKeys: ReadonlySet<string> = new Set(
    (
        "border created deprecatedIn deprecated_in deprecation folder ground groupId ordered orders publicKey " +
        "publishedAt published_at publisher publishing released subgroups"
    ).split(" "),
);

/** The values that keep a page from some readers, by key. */
const withholdingValues: ReadonlyMap<string, boolean> = new Map([
    ["draft", true],
    ["published", false],
    ["unlisted", true],
    ["hidden", true],
    ["noindex", true],
]);

interface MisspelledKeys {
    readonly misspelled: readonly MisspelledKey[];
    /** The fields that withhold the page, as the correct keys would. */
    readonly withholding: readonly (readonly [field: string, value: boolean])[];
    /** The first key that may restrict the page's readers. */
    readonly closing: string | undefined;
}

/**
 * Finds the misspelled keys, and what they keep from readers, because a mistake publishes nothing. A key that the page
 * also has in its correct form is not meant.
 */
export function misspelledKeys(values: Readonly<Record<string, unknown>>): MisspelledKeys {
    const misspelled = Object.keys(values).flatMap((key) => {
        if (keysToSuggest.includes(key) || otherKeys.has(key)) {
            return [];
        }
        const meant = nearestName(key, keysToSuggest);
        return meant === undefined || Object.hasOwn(values, meant) ? [] : [{ key, meant }];
    });
    const withholding = misspelled.flatMap(({ key, meant }) => {
        const value = withholdingValues.get(meant);
        return value !== undefined && String(values[key]) === String(value) ? [[meant, value] as const] : [];
    });
    // `public: true` restricts nobody.
    const closing = misspelled.find(
        ({ key, meant }) => meant === "groups" || (meant === "public" && String(values[key]) !== "true"),
    );
    return { misspelled, withholding, closing: closing?.key };
}
