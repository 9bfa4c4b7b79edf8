import { isRecord, listOf, withoutUndefined } from "../../text/json-values.js";

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
export type ValuesOf<Readers extends Fields> = {
    readonly [Name in keyof Readers]?: Readers[Name] extends ReadSetting<infer T> ? T : never;
};

/** An object with a separate reader for each value. */
export function fields<Readers extends Fields>(readers: Readers): ReadSetting<ValuesOf<Readers>> {
    return withKeys(Object.keys(readers), (value, at, report) => {
        if (!isRecord(value)) {
            return undefined;
        }
        const values = Object.entries(readers).map(([key, read]) => [key, read(value[key], `${at}.${key}`, report)]);
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
        : report(at, `${at} must be a colour such as #0d6e6e, got ${given.slice(0, 40)}`);
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
