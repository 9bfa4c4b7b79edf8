import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Matches a heading, or the title of a part that readers open, if it is alone on its line. */
const headingLine = /^(#{2,6}[ \t]+)(\S.*?)[ \t]*(?:\{#[^}]*\})?[ \t]*$/gm;
const titleAttribute = /(<[A-Z]\w*\s[^>]*?title=")([^"]+)(")/g;

/** Returns the headings of the sources. Only headings without markup match the exported text and can be removed. */
export async function headingsIn(folder: string): Promise<Set<string>> {
    const found = new Set<string>();
    await eachPage(folder, (text) => {
        for (const pattern of [headingLine, titleAttribute]) {
            for (const [, , heading = ""] of text.matchAll(pattern)) {
                found.add(heading);
            }
        }
        return text;
    });
    return found;
}

/** Removes headings from the sources, so that a search has to find the text below them. */
export function removeHeadings(folder: string, headings: ReadonlySet<string>): Promise<void> {
    return eachPage(folder, (text) =>
        text
            .replace(headingLine, (line, _, heading: string) => (headings.has(heading) ? "" : line))
            .replace(titleAttribute, (all, before: string, title: string, after: string) =>
                headings.has(title) ? `${before}…${after}` : all,
            ),
    );
}

async function eachPage(folder: string, change: (text: string) => string): Promise<void> {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (entry.isFile() && /\.mdx?$/.test(entry.name)) {
            const file = join(entry.parentPath, entry.name);
            const text = await readFile(file, "utf8");
            const changed = change(text);
            if (changed !== text) {
                await writeFile(file, changed);
            }
        }
    }
}
