import { type RequestField } from "./request.js";

/** The forbidden request headers of the Fetch standard: browsers silently drop them from a page's request. */
const dropped = new Set([
    ...["accept-charset", "accept-encoding", "access-control-request-headers", "access-control-request-method"],
    ...["connection", "content-length", "cookie", "cookie2", "date", "dnt", "expect", "host", "keep-alive", "origin"],
    ...["referer", "set-cookie", "te", "trailer", "transfer-encoding", "upgrade", "via"],
]);

/** Whether browsers send a field that a page sets: not cookies, and not every header. */
export function isSentByBrowsers({ in: place, name }: RequestField): boolean {
    return place === "header" ? !dropped.has(name.toLowerCase()) && !/^(?:proxy|sec)-/i.test(name) : place !== "cookie";
}
