import { beginningOf, trimTrailing } from "@pulumi-static-export/contract";
import { type SourcePlace } from "../../problems/warning-log.js";
import { asRecord, isRecord, listOf, withoutUndefined } from "../../text/json-values.js";
import { metatagsOfSite, type Metatags } from "../front-matter/metatags.js";
import { problemOfFolder } from "../files/published-names.js";
import { webAddressOf } from "../front-matter/page-fields.js";

export interface LightAndDark {
    readonly light: string;
    readonly dark: string;
}

/** Reports an invalid value, which the settings then omit. @param at the setting's path */
export type Report = (at: string, reason: string) => undefined;

/** Reads a setting's value; undefined for a missing setting. */
export interface ReadSetting<T> {
    /** @param at the setting's path */
    (value: unknown, at: string, report: Report): T | undefined;
    /** The keys that are read. If `keys` is undefined, all keys of the object are part of the setting. */
    readonly keys?: readonly string[];
}

type Fields = Readonly<Record<string, ReadSetting<unknown>>>;
type ValuesOf<Reads extends Fields> = {
    readonly [Name in keyof Reads]?: Reads[Name] extends ReadSetting<infer T> ? T : never;
};

/** An object whose values are read separately. */
export function fields<Reads extends Fields>(reads: Reads): ReadSetting<ValuesOf<Reads>> {
    return withKeys(Object.keys(reads), (value, at, report) => {
        if (!isRecord(value)) {
            return undefined;
        }
        const values = Object.entries(reads).map(([key, read]) => [key, read(value[key], `${at}.${key}`, report)]);
        return withoutUndefined(Object.fromEntries(values));
    });
}

/** @param keys the keys that are read */
export function withKeys<T>(keys: readonly string[], read: ReadSetting<T>): ReadSetting<T> {
    return Object.assign(read, { keys });
}

export const text: ReadSetting<string> = (value, at, report) => {
    if (value === undefined || value === null) {
        return undefined;
    }
    return typeof value === "string" ? value : report(at, `${at} must be a string`);
};

export const texts: ReadSetting<readonly string[]> = (value) =>
    listOf(value).filter((item) => typeof item === "string");

/** Only colours are accepted, because the value becomes part of every page's style. */
export const color: ReadSetting<string> = (value, at, report) => {
    const given = text(value, at, report);
    return given === undefined || /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(given)
        ? given
        : report(at, `${at} must be a colour such as #0d6e6e, got ${beginningOf(given, 40)}`);
};

/** One string for all backgrounds, or separate strings for light and dark backgrounds. */
export function lightAndDark(read: ReadSetting<string>): ReadSetting<LightAndDark> {
    return (value, at, report) =>
        isRecord(value)
            ? bothOf(read(value["light"], `${at}.light`, report), read(value["dark"], `${at}.dark`, report))
            : bothOf(read(value, at, report), undefined);
}

/** If only one of the two strings is set, both backgrounds use this string. */
export function bothOf(light: string | undefined, dark: string | undefined): LightAndDark | undefined {
    const either = light ?? dark;
    return either === undefined ? undefined : { light: light ?? either, dark: dark ?? either };
}

/** Whether the setting has this value; other values are also valid. */
export function is(wanted: string | boolean): ReadSetting<boolean> {
    return (value) => value === wanted;
}

/** Reads one of these words, and ignores other words without a report. */
export function oneOf<Word extends string>(...words: readonly Word[]): ReadSetting<Word> {
    return (value) => words.find((word) => word === value);
}

/** An icon's name or address, and the style of a Font Awesome icon. */
export interface WithIcon {
    readonly icon?: string;
    readonly iconType?: string;
}

/** The icon of a settings entry, which may also be an object with `name` and `style`. */
export function iconOf(record: Readonly<Record<string, unknown>>): WithIcon {
    const { icon } = record;
    const [name, style] = isRecord(icon) ? [icon["name"], icon["style"]] : [icon, record["iconType"]];
    return typeof name === "string" && name !== ""
        ? { icon: name, ...(typeof style === "string" && style !== "" && { iconType: style }) }
        : {};
}

export interface Logo extends LightAndDark {
    /** The target of the logo's link. */
    readonly href?: string;
}

export interface Redirect {
    readonly source: string;
    readonly destination: string;
    readonly permanent: boolean;
    /** The path of the setting; undefined if the redirect is not in the settings. */
    readonly at?: string;
    /** The redirect's place in another file. */
    readonly place?: SourcePlace;
}

export const logo: ReadSetting<Logo> = (value, at, report) => {
    const pictures = lightAndDark(text)(value, at, report);
    const href = text(asRecord(value)["href"], `${at}.href`, report);
    return pictures && withoutUndefined({ ...pictures, href });
};

/** The place of the missing slash in an address of this site, such as `guides/new` and `./guides/new`. */
const startOfRelative = /^(?:\.{1,2}\/)*(?=[\p{L}\p{N}_:*-])(?![a-z][a-z\d+.-]*:)/iu;

export const redirects: ReadSetting<readonly Redirect[]> = (value, at, report) =>
    listOf(value).flatMap((item, index) => {
        const entry = asRecord(item);
        const source = text(entry["source"], `${at}.${index}.source`, report);
        const destination = text(entry["destination"], `${at}.${index}.destination`, report);
        return source === undefined || destination === undefined
            ? []
            : [
                  {
                      source: source.trim(),
                      destination: destination.trim().replace(startOfRelative, "/"),
                      permanent: entry["permanent"] !== false,
                      at: `${at}.${index}`,
                  },
              ];
    });

export const variables: ReadSetting<Readonly<Record<string, string>>> = (value) => {
    const entries = Object.entries(asRecord(value));
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
};

export const metatags: ReadSetting<Metatags> = (value) => metatagsOfSite(asRecord(value));

export const canonicalBase: ReadSetting<string> = (value, at, report) => {
    const address = text(value, at, report);
    return address === undefined || webAddressOf(address) !== undefined
        ? address && trimTrailing(address, "/")
        : report(at, `${at} must be an address such as https://docs.example.com, got ${beginningOf(address, 60)}`);
};

/** One string, or a string for each line. */
export const agentInstructions: ReadSetting<string> = (value, ...place) => {
    const lines = texts([value].flat(), ...place) ?? [];
    return lines.length === 0 ? undefined : lines.join("\n").trim();
};

export const apiServer: ReadSetting<string> = (value) => {
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return typeof first === "string" ? trimTrailing(first, "/") : undefined;
};

/** Playground settings without a form, or with a form only for some readers. */
export const hidesForm = ["none", "simple", "auth"];

export const tryIt: ReadSetting<boolean> = (value) => !hidesForm.includes(String(value));

/** The API documents in a setting: one document, several documents, or one document with a folder for its pages. */
export function sourcesOf(value: unknown): string[] {
    const list: unknown[] = Array.isArray(value) ? value : [value];
    return list
        .map((item) => (isRecord(item) ? item["source"] : item))
        .flatMap((item): unknown[] => (Array.isArray(item) ? item : [item]))
        .filter((item): item is string => typeof item === "string" && item !== "");
}

/** The folder for generated pages that a setting names; empty for the site's folder. */
export function directoryOf(value: unknown): string | undefined {
    const folder = isRecord(value) ? value["directory"] : undefined;
    return typeof folder === "string"
        ? trimTrailing(folder.normalize("NFC").replace(/^(?:\.?\/)+|^\.$/, ""), "/")
        : undefined;
}

/** The folder for the pages of a setting's documents. */
export const pagesFolder: ReadSetting<string> = (value, at, report) => {
    const folder = directoryOf(value);
    const problem = folder === undefined ? undefined : problemOfFolder(folder);
    const shown = beginningOf(JSON.stringify(folder) ?? "", 80);
    return problem === undefined
        ? folder
        : report(at, `${at}.directory has no effect, because ${shown} ${problem}: name a folder of the site`);
};

/** Each query looks up every word of a group. */
const maxWords = 8;

/** Reads lists of single words, such as `[["rollback", "undo"]]`. */
export const synonymGroups: ReadSetting<readonly (readonly string[])[]> = (value, at, report) => {
    if (value === undefined) {
        return undefined;
    }
    const groups = (Array.isArray(value) ? value : []).map((group: unknown) => {
        const words = (texts(group, at, report) ?? []).map((word) => word.trim().toLowerCase());
        return words.filter((word) => /^[\p{L}\p{N}]+$/u.test(word)).slice(0, maxWords);
    });
    const isWhole =
        Array.isArray(value) &&
        value.every(
            (group, index) => Array.isArray(group) && group.length === groups[index]?.length && group.length > 1,
        );
    if (!isWhole) {
        report(at, `${at} must be lists of two to ${maxWords} single words, such as [["rollback", "undo"]]`);
    }
    return groups.filter((group) => group.length > 1);
};
