import { withoutUndefined } from "../../text/json-values.js";
import { readersOfGroups } from "./readers.js";

/** The settings that restrict the readers of a page, or of a part of a site. */
export interface ReadersSettings {
    /** The groups that may read the page; "nobody" for an empty or unreadable list. */
    readonly groups?: readonly string[] | "nobody";
    readonly isPublic?: boolean;
    /** The key that closes the page, if it is misspelled. */
    readonly misspelledKey?: string;
    /** The line of the key that restricts the readers; undefined for a page without a file. */
    readonly line?: number | undefined;
}

/** Reads `groups` and `public` of front matter. Unreadable values allow nobody. */
export function readersSettingsOf(values: Readonly<Record<string, unknown>>): ReadersSettings {
    const isPublic = readPublic(values["public"]);
    const { groups: given } = values;
    const isOpen = isPublic === true && Array.isArray(given) && given.length === 0;
    const groups = hasMisspelledKey(values) ? "nobody" : readGroups(given);
    return withoutUndefined({ groups: isOpen ? undefined : groups, isPublic });
}

/** Whether a key such as `Groups` is misspelt and therefore has no effect. */
function hasMisspelledKey(values: Readonly<Record<string, unknown>>): boolean {
    return Object.keys(values).some((key) => misspelledKey.test(key) && !/^(?:groups|public)$/.test(key));
}

const misspelledKey = /^\s*(?:groups|public)\s*$/i;

/** The readers of a page with unreadable front matter: a mistake must not make the page public. */
export function readersSettingsOfUnreadable(text: string): ReadersSettings {
    return mentionsReaders(text) ? { groups: "nobody" } : {};
}

/** Whether unreadable front matter seems to restrict the readers; `public: true` restricts nobody. */
export function mentionsReaders(text: string): boolean {
    return settingInLine.test(text) || (/^\s*\{/.test(text) && settingInBraces.test(text));
}

const settingInLine =
    /^[^\w\n\r\u2028\u2029]*(?:groups?["']?[ \t\xA0]*[:=：[]|public["']?[ \t\xA0]*(?:[:=：](?!\s*["']?true\b)|(?:false|no)\b))|^["']?(?:groups|public)["']?[ \t\r]*$/im;
const settingInBraces = /[{,]\s*["']?(?:groups?["']?\s*[:=]|public["']?\s*[:=](?!\s*["']?true\b))/i;

/** Reads `groups`; undefined if the key is not set. */
export function readGroups(value: unknown): ReadersSettings["groups"] {
    if (value === undefined || value === null) {
        return undefined;
    }
    const list: unknown[] = Array.isArray(value) ? value : [value];
    const names = list.filter((name) => (typeof name === "string" && name !== "") || typeof name === "number");
    return names.length === 0 || names.length < list.length ? "nobody" : readersOfGroups(names.map(String));
}

/** Reads `public`; undefined if the key is not set. */
export function readPublic(value: unknown): boolean | undefined {
    return value === undefined || value === null ? undefined : value === true || value === "true";
}
