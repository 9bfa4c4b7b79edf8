import { withoutUndefined } from "../../text/json-values.js";
import { audienceOf } from "./audience.js";

/** What a page, or a part of a site, says of its readers. */
export interface Limits {
    /** "nobody" for a list that is empty or cannot be read. */
    readonly groups?: readonly string[] | "nobody";
    readonly isPublic?: boolean;
}

/** Reads `groups` and `public` of front matter. What cannot be read opens nothing. */
export function limitsOf(values: Readonly<Record<string, unknown>>): Limits {
    const isPublic = readPublic(values["public"]);
    const { groups: given } = values;
    const isOpen = isPublic === true && Array.isArray(given) && given.length === 0;
    return withoutUndefined({ groups: isOpen ? undefined : readGroups(given), isPublic });
}

/** The limits of a text whose front matter cannot be read: a slip in it must not open the page. */
export function limitsOfUnreadable(text: string): Limits {
    return /^[ \t]*["']?(?:groups["']?[ \t]*:|public["']?[ \t]*:(?![ \t]*true\b))/m.test(text)
        ? { groups: "nobody" }
        : {};
}

/** Undefined where nothing is said. */
export function readGroups(value: unknown): Limits["groups"] {
    if (value === undefined || value === null) {
        return undefined;
    }
    const list: unknown[] = Array.isArray(value) ? value : [value];
    const names = list.filter((name) => (typeof name === "string" && name !== "") || typeof name === "number");
    return names.length === 0 || names.length < list.length ? "nobody" : audienceOf(names.map(String));
}

/** Undefined where nothing is said. */
export function readPublic(value: unknown): boolean | undefined {
    return value === undefined || value === null ? undefined : value === true || value === "true";
}
