import { unmistakableNames } from "../../components/components.js";
import { itemMarker } from "./page-text/block-starts.js";

/** A quick check, which comes first because most pages have no tags and the full check takes ten times as long. */
const anyTag = /<[A-Z]/;

/** Matches an opening tag at the beginning of a line, even in a quote or a list. */
const openingTag = new RegExp(
    String.raw`^[ \t>]*(?:${itemMarker}[ \t]+)?<(${unmistakableNames.join("|")})(?:\s[^<>]*)?>`,
    "gm",
);

/** Whether Markdown outside of code contains a complete tag of a component of documentation platforms. */
export function usesComponents(text: string): boolean {
    if (!anyTag.test(text)) {
        return false;
    }
    const unclosed = new Set<string>();
    for (const [tag, name = ""] of text.matchAll(openingTag)) {
        if (tag.endsWith("/>") || (!unclosed.has(name) && text.includes(`</${name}>`))) {
            return true;
        }
        unclosed.add(name);
    }
    return false;
}
