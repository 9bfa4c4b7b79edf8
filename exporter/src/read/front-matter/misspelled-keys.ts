import { nearestName } from "../../text/nearest-name.js";
import { type Field, pageFields } from "./page-fields.js";

/** A key of front matter that is not known, but similar to a known key. */
export interface MisspelledKey {
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

/** Finds the misspelled keys. A key that the page also has in its correct form is not meant. */
export function misspelledKeys(values: Readonly<Record<string, unknown>>): MisspelledKey[] {
    return Object.keys(values).flatMap((key) => {
        if (keysToSuggest.includes(key) || otherKeys.has(key)) {
            return [];
        }
        const meant = nearestName(key, keysToSuggest);
        return meant === undefined || Object.hasOwn(values, meant) ? [] : [{ key, meant }];
    });
}
