import { asRecord } from "../text/json-values.js";

/** How pages of an API look, as `api` of `docs.json` says. */
export interface ApiDisplay {
    /** Fields within fields are open from the start. */
    readonly isExpanded?: boolean;
    /** Keys of a schema whose values are labels beside the field's name. */
    readonly labelKeys?: readonly string[];
    /** Pages show an operation's address with its server, not only its path. */
    readonly hasWholeAddress?: boolean;
    /** The languages of the code that is made, in order. */
    readonly languages?: readonly string[];
    /** Examples of requests leave out the fields that they may leave out. */
    readonly isShort?: boolean;
    /** False for pages with only the code that the document brings. */
    readonly makesSamples?: boolean;
}

export function apiDisplayOf(api: Readonly<Record<string, unknown>>): ApiDisplay {
    const params = asRecord(api["params"]);
    const examples = asRecord(api["examples"]);
    return {
        isExpanded: params["expanded"] === "all",
        labelKeys: textsOf(params["post"]),
        hasWholeAddress: api["url"] === "full",
        languages: textsOf(examples["languages"]),
        isShort: examples["defaults"] === "required",
        makesSamples: examples["autogenerate"] !== false,
    };
}

function textsOf(value: unknown): readonly string[] {
    return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
