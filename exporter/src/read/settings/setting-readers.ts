import { metatagsOfSite, type Metatags } from "../front-matter/metatags.js";
import { webAddressOf } from "../front-matter/page-fields.js";
import { asRecord, listOf, withoutUndefined, isRecord } from "../../text/json-values.js";
import { lightAndDark, type LightAndDark, type ReadSetting, text, texts } from "./setting-values.js";

export interface Logo extends LightAndDark {
    /** The target of the logo's link. */
    readonly href?: string;
}

export interface Redirect {
    readonly source: string;
    readonly destination: string;
    readonly permanent: boolean;
}

export const logo: ReadSetting<Logo> = (value, at, report) => {
    const pictures = lightAndDark(text)(value, at, report);
    const href = text(asRecord(value)["href"], `${at}.href`, report);
    return pictures && withoutUndefined({ ...pictures, href });
};

export const redirects: ReadSetting<readonly Redirect[]> = (value, at, report) =>
    listOf(value).flatMap((item, index) => {
        const entry = asRecord(item);
        const source = text(entry["source"], `${at}.${index}.source`, report);
        const destination = text(entry["destination"], `${at}.${index}.destination`, report);
        return source === undefined || destination === undefined
            ? []
            : [{ source, destination, permanent: entry["permanent"] !== false }];
    });

export const variables: ReadSetting<Readonly<Record<string, string>>> = (value) => {
    const entries = Object.entries(asRecord(value));
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
};

export const metatags: ReadSetting<Metatags> = (value) => metatagsOfSite(asRecord(value));

export const canonicalBase: ReadSetting<string> = (value, at, report) => {
    const address = text(value, at, report);
    return address === undefined || webAddressOf(address) !== undefined
        ? address?.replace(/\/+$/, "")
        : report(at, `${at} must be an address such as https://docs.example.com, got ${address.slice(0, 60)}`);
};

/** One string, or a string for each line. */
export const agentInstructions: ReadSetting<string> = (value, ...place) => {
    const lines = texts([value].flat(), ...place) ?? [];
    return lines.length === 0 ? undefined : lines.join("\n").trim();
};

export const apiServer: ReadSetting<string> = (value) => {
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return typeof first === "string" ? first.replace(/\/+$/, "") : undefined;
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

/** The folder for generated pages that a setting names. */
export function directoryOf(value: unknown): string | undefined {
    const folder = isRecord(value) ? value["directory"] : undefined;
    return typeof folder === "string" ? folder.replace(/^\/+|\/+$/g, "") : undefined;
}
