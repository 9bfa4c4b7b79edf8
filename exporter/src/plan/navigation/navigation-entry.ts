import { asRecord, listOf } from "../../text/json-values.js";
import { type DivisionKind } from "./navigation.js";

/** The keys with which `docs.json` can divide a site, and the key that names one entry of each division. */
export const divisions: readonly (readonly [string, DivisionKind])[] = [
    ["languages", "language"],
    ["versions", "version"],
    ["products", "product"],
    ["tabs", "tab"],
    ["anchors", "anchor"],
    ["dropdowns", "dropdown"],
    ["menu", "item"],
];

/** `POST /pets`, optionally after the document. */
export const endpoint = /(?:^|\s)(?:get|post|put|patch|delete|options|head|trace|query|webhook)\s+\S/i;

/** Whether any of the entries, at any depth, is an operation. */
export function namesEndpoint(entries: readonly unknown[]): boolean {
    return entries.some((entry) => {
        if (typeof entry === "string") {
            return endpoint.test(entry);
        }
        const { openapi, pages } = asRecord(entry);
        return openapi !== undefined || (Array.isArray(pages) && namesEndpoint(pages));
    });
}

/** Whether an entry has pages or groups, however it is divided. An empty list does not count. */
export function hasContent(entry: Record<string, unknown>): boolean {
    return ["pages", "groups", ...divisions.map(([key]) => key)].some((key) => listOf(entry[key]).length > 0);
}
