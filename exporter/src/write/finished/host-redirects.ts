import { type Redirect } from "../../read/settings/setting-values.js";
import { type SiteWarning } from "../../problems/warnings.js";

/** The redirects of a finished site, as builders write them for Netlify and Cloudflare Pages. */
export const hostRedirectsFile = "_redirects";

const redirectStatus = /^(30[12378])!?$/;

/** Reads one redirect from each line, such as `/news/* /blog/:splat 301`. */
export function readHostRedirects(text: string, warn: (warning: SiteWarning) => void): Redirect[] {
    return text.split(/\r?\n/).flatMap((line, index): Redirect[] => {
        const words = line.replace(/(?:^|\s)#.*$/, "").trim();
        if (words === "") {
            return [];
        }
        const [source = "", destination = "", status = "301", ...others] = words.split(/\s+/);
        const code = redirectStatus.exec(status)?.[1];
        const isPath = source.startsWith("/") && !/\*.|\/\.{1,2}(?:\/|$)/.test(source);
        if (!isPath || destination === "" || code === undefined || others.length > 0) {
            const reason =
                "this line has no effect: an export redirects from a path to an address, with status 301, 302, 303, " +
                "307 or 308, and without conditions";
            warn({ kind: "file", file: hostRedirectsFile, line: index + 1, reason });
            return [];
        }
        const permanent = code === "301" || code === "308";
        return [{ source: source.replace(/\*$/, ":splat*"), destination, permanent }];
    });
}
