import { withoutUndefined } from "../../text/json-values.js";
import { audienceOf } from "./audience.js";

/** The settings of a page, or a part of a site, about its readers. */
export interface Limits {
    /** "nobody" for an empty or unreadable list. */
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

/** Whether there is a key such as `Groups`, which nothing reads. */
function hasMisspelledLimit(values: Readonly<Record<string, unknown>>): boolean {
    return Object.keys(values).some((key) => misspelledLimit.test(key) && !/^(?:groups|public)$/.test(key));
}

const misspelledLimit = /^\s*(?:groups|public)\s*$/i;

/** The limits of a text with unreadable front matter: a mistake in it must not open the page. */
export function limitsOfUnreadable(text: string): Limits {
    return mentionsLimits(text) ? { groups: "nobody" } : {};
}

/** Whether a text that cannot be read seems to say who may read the page; `public: true` limits nobody. */
export function mentionsLimits(text: string): boolean {
    return limitInLine.test(text) || (/^\s*\{/.test(text) && limitInBraces.test(text));
}

const limitInLine =
    /^[^\w\n]*(?:groups["']?[ \t\xA0]*[:=：[]|public["']?[ \t\xA0]*(?:[:=：](?!\s*["']?true\b)|(?:false|no)\b))|^["']?(?:groups|public)["']?[ \t\r]*$/im;
const limitInBraces = /[{,]\s*["']?(?:groups["']?\s*[:=]|public["']?\s*[:=](?!\s*["']?true\b))/i;

/** Undefined if nothing is set. */
export function readGroups(value: unknown): Limits["groups"] {
    if (value === undefined || value === null) {
        return undefined;
    }
    const list: unknown[] = Array.isArray(value) ? value : [value];
    const names = list.filter((name) => (typeof name === "string" && name !== "") || typeof name === "number");
    return names.length === 0 || names.length < list.length ? "nobody" : audienceOf(names.map(String));
}

/** Undefined if nothing is set. */
export function readPublic(value: unknown): boolean | undefined {
    return value === undefined || value === null ? undefined : value === true || value === "true";
}
