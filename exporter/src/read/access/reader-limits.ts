import { withoutUndefined } from "../../text/json-values.js";
import { audienceOf } from "./audience.js";

/** The settings that restrict the readers of a page, or of a part of a site. */
export interface Limits {
    /** The groups that may read the page; "nobody" for an empty or unreadable list. */
    readonly groups?: readonly string[] | "nobody";
    readonly isPublic?: boolean;
}

/** Reads `groups` and `public` of front matter. Unreadable values allow nobody. */
export function limitsOf(values: Readonly<Record<string, unknown>>): Limits {
    const isPublic = readPublic(values["public"]);
    const { groups: given } = values;
    const isOpen = isPublic === true && Array.isArray(given) && given.length === 0;
    const groups = hasMisspelledLimit(values) ? "nobody" : readGroups(given);
    return withoutUndefined({ groups: isOpen ? undefined : groups, isPublic });
}

/** Whether a key such as `Groups` is misspelt and therefore has no effect. */
function hasMisspelledLimit(values: Readonly<Record<string, unknown>>): boolean {
    return Object.keys(values).some((key) => misspelledLimit.test(key) && !/^(?:groups|public)$/.test(key));
}

const misspelledLimit = /^\s*(?:groups|public)\s*$/i;

/** The limits of a page with unreadable front matter: a mistake must not make the page public. */
export function limitsOfUnreadable(text: string): Limits {
    return mentionsLimits(text) ? { groups: "nobody" } : {};
}

/** Whether unreadable front matter seems to restrict the readers; `public: true` restricts nobody. */
export function mentionsLimits(text: string): boolean {
    return limitInLine.test(text) || (/^\s*\{/.test(text) && limitInBraces.test(text));
}

const limitInLine =
    /^[^\w\n]*(?:groups["']?[ \t\xA0]*[:=：[]|public["']?[ \t\xA0]*(?:[:=：](?!\s*["']?true\b)|(?:false|no)\b))|^["']?(?:groups|public)["']?[ \t\r]*$/im;
const limitInBraces = /[{,]\s*["']?(?:groups["']?\s*[:=]|public["']?\s*[:=](?!\s*["']?true\b))/i;

/** Reads `groups`; undefined if the key is not set. */
export function readGroups(value: unknown): Limits["groups"] {
    if (value === undefined || value === null) {
        return undefined;
    }
    const list: unknown[] = Array.isArray(value) ? value : [value];
    const names = list.filter((name) => (typeof name === "string" && name !== "") || typeof name === "number");
    return names.length === 0 || names.length < list.length ? "nobody" : audienceOf(names.map(String));
}

/** Reads `public`; undefined if the key is not set. */
export function readPublic(value: unknown): boolean | undefined {
    return value === undefined || value === null ? undefined : value === true || value === "true";
}
