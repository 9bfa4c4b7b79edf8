import { maxPartBytes } from "@pulumi-static-export/contract";
import { slug } from "github-slugger";
import { wordsBefore } from "../../text/strings.js";
import { reservedName } from "./published-names.js";
import { htmlFileOf } from "./routes.js";

/** The default folder for generated pages. */
export const defaultFolder = "api-reference";

/** Leaves room for the number of a page and for the extension. */
const maxBytes = maxPartBytes - Buffer.byteLength("-1000000.html");

/** The part of a route for a name in a document: letters, digits and hyphens; empty for a name without letters. */
export function partOfRoute(name: string): string {
    return cutAtWord(slug(name.toWellFormed().normalize("NFC").trim().replace(/\s+/g, " ")));
}

/** The route without the parts of names that no file system accepts. */
export function cutRoute(route: string): string {
    return route.split("/").map(cutAtWord).join("/");
}

function cutAtWord(part: string): string {
    const bytes = Buffer.from(part);
    // A character that the limit cuts in two becomes U+FFFD.
    return bytes.length <= maxBytes
        ? part
        : wordsBefore(part, bytes.toString("utf8", 0, maxBytes).replace(/\uFFFD$/, "").length, "-");
}

/** The wanted route, or the first one with a number that is free. Reserved folders are moved into another folder. */
export function freeRoute(wanted: string, isFree: (route: string) => boolean): string {
    const open = reservedName(htmlFileOf(wanted)) === undefined ? wanted : `${defaultFolder}/${wanted}`;
    for (let count = 1; ; count += 1) {
        const route = count === 1 ? open : `${open}-${count}`;
        if (isFree(route)) {
            return route;
        }
    }
}
