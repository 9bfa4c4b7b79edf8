import { isRecord } from "../../text/json-values.js";

/** Documents of an API as a setting names them: one, several, or one with a folder for its pages. */
export function sourcesOf(value: unknown): string[] {
    const list: unknown[] = Array.isArray(value) ? value : [value];
    return list
        .map((item) => (isRecord(item) ? item["source"] : item))
        .flatMap((item): unknown[] => (Array.isArray(item) ? item : [item]))
        .filter((item): item is string => typeof item === "string" && item !== "");
}

/** The folder for pages that are made of documents, as a setting has it. */
export function directoryOf(value: unknown): string | undefined {
    const folder = isRecord(value) ? value["directory"] : undefined;
    return typeof folder === "string" ? folder.replace(/^\/+|\/+$/g, "") : undefined;
}
