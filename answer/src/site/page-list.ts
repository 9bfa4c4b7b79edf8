import { pathOf } from "./page-path.js";
import { type SiteFiles } from "./site-files.js";

export interface ListedPage {
    /** From the site's root, such as `/guides/start`. */
    readonly path: string;
    readonly title: string;
    readonly description?: string;
}

/** Their titles are read from the files, one by one. */
const maxClosedPages = 1000;

const entry = /^- \[(.*)\]\((\S+?)\)(?:: (.*))?$/;

/**
 * The pages that the site's llms.txt lists, and further ones for certain readers.
 *
 * @param closed the Markdown files of the further ones
 */
export async function listedPages(files: SiteFiles, closed: readonly string[]): Promise<ListedPage[]> {
    const text = (await files.read("llms.txt")) ?? "";
    const entries = text.split("\n").flatMap((line) => {
        const [, title = "", address = "", description] = entry.exec(line) ?? [];
        const pathname = URL.canParse(address) ? decodeURI(new URL(address).pathname) : address;
        return title === "" ? [] : [{ title, pathname, description }];
    });
    const prefix = commonPrefix(entries.map(({ pathname }) => pathname));
    const base = await basePathIn(files, prefix, entries[0]?.pathname ?? "/");
    const listed = entries.map(({ title, pathname, description }) => ({
        path: pathOf(pathname.slice(base.length)),
        title,
        ...(description !== undefined && { description }),
    }));
    const further: ListedPage[] = [];
    for (const file of closed.slice(0, maxClosedPages)) {
        const title = /^# +(.+)$/m.exec((await files.read(file)) ?? "")?.[1];
        further.push({ path: pathOf(file), title: title ?? file });
    }
    return [...listed, ...further];
}

/** A site below a path, such as /docs, has that path in its addresses, and its files are without it. */
async function basePathIn(files: SiteFiles, prefix: string, pathname: string): Promise<string> {
    const ends = [...prefix.matchAll(/\//g)].map(({ index }) => index + 1);
    for (const end of ends) {
        const file = pathname.slice(end);
        if (file.endsWith(".md") && (await files.read(file)) !== undefined) {
            return pathname.slice(0, end);
        }
    }
    return "/";
}

/** Up to its last slash. */
function commonPrefix(paths: readonly string[]): string {
    let [prefix = "/"] = paths;
    for (const path of paths) {
        while (!path.startsWith(prefix)) {
            prefix = prefix.slice(0, -1);
        }
    }
    return prefix.slice(0, prefix.lastIndexOf("/") + 1);
}
