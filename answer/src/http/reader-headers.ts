import { type IncomingHttpHeaders } from "node:http";
import { type Reader } from "../site/access-rules.js";

/** The headers that a proxy in front sets on every request, whatever the visitor sent. */
export interface ReaderHeaders {
    /** Not empty for every reader who is signed in. */
    readonly user: string;
    /** The reader's groups. */
    readonly groups: string;
    /** Between two groups. */
    readonly separator: string;
}

/** @returns undefined for a reader who is not signed in, and wherever no proxy is configured */
export function readerOf(headers: IncomingHttpHeaders, names: ReaderHeaders | undefined): Reader | undefined {
    const user = names && headers[names.user.toLowerCase()];
    if (names === undefined || typeof user !== "string" || user === "") {
        return undefined;
    }
    const value = headers[names.groups.toLowerCase()];
    // Node.js joins a header that was sent twice with ", ": perhaps a visitor sent the second one, so it gives no group.
    const isOnce = typeof value === "string" && (names.separator === ", " || !value.includes(", "));
    // Node.js reads each byte of a header as a character, and names of groups are UTF-8.
    const groups = isOnce ? Buffer.from(value, "latin1").toString("utf8").split(names.separator) : [];
    return { groups: groups.filter((group) => group !== "") };
}
