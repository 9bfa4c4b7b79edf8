import { type IncomingHttpHeaders } from "node:http";
import { type Reader } from "../site/readers-rules.js";

/** The headers that a proxy sets on every request; they replace headers from visitors. */
export interface ReaderHeaders {
    /** A header that has a value for every signed-in reader. */
    readonly user: string;
    /** The reader's groups. */
    readonly groups: string;
    /** Between two groups. */
    readonly separator: string;
}

/** @returns undefined for a reader who is not signed in, or if no proxy is configured */
export function readerOf(headers: IncomingHttpHeaders, names: ReaderHeaders | undefined): Reader | undefined {
    const user = names && headers[names.user.toLowerCase()];
    if (names === undefined || typeof user !== "string" || user === "") {
        return undefined;
    }
    const value = headers[names.groups.toLowerCase()];
    // Node.js joins repeated headers with ", ". A visitor may have sent one of the headers, so a joined header grants
    // no group.
    const isOnce = typeof value === "string" && (names.separator === ", " || !value.includes(", "));
    // Node.js reads each byte of a header as a character, but names of groups are UTF-8.
    const groups = isOnce ? Buffer.from(value, "latin1").toString("utf8").split(names.separator) : [];
    return { groups: groups.filter((group) => group !== "") };
}
