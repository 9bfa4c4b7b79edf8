import { isRecord } from "../../text/json-values.js";

interface KeyWithoutEffect {
    readonly isMeant: (value: unknown) => boolean;
    /** The effect for readers. */
    readonly instead: string;
}

const isText = (value: unknown) => typeof value === "string" && value !== "";

/** Keys that GitBook documents for its pages, and that exports do not follow. Other builders use some of the names. */
export const keysWithoutEffect: ReadonlyMap<string, KeyWithoutEffect> = new Map([
    ["if", { isMeant: isText, instead: "everybody who may read the site may read the page" }],
    ["vars", { isMeant: isRecord, instead: "pages show the names of variables" }],
    ["cover", { isMeant: isText, instead: "pages show no cover picture" }],
    ["layout", { isMeant: isRecord, instead: "pages have the theme's layout, which mode changes" }],
]);
