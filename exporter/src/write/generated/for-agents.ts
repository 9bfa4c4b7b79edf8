import { Fences } from "../../read/markdown/fences.js";

const inlineCodeOrTag = /`[^`]*`|<Visibility\b[^<>]*>|<\/Visibility>/g;

/**
 * The Markdown of a page as programs get it: without what `<Visibility for="humans">` holds, and without the tags around
 * what is meant for them. A page whose tags do not pair is left as it is.
 */
export function forAgents(markdown: string): string {
    if (!markdown.includes("<Visibility")) {
        return markdown;
    }
    const fences = new Fences();
    let depth = 0;
    let hiddenAt = 0;
    const kept: string[] = [];
    for (const line of markdown.split("\n")) {
        if (fences.holds(line)) {
            kept.push(...(hiddenAt === 0 ? [line] : []));
            continue;
        }
        let text = "";
        let from = 0;
        const add = (to: number) => {
            text += hiddenAt === 0 ? line.slice(from, to) : "";
        };
        let hasTag = false;
        for (const { 0: found, index } of line.matchAll(inlineCodeOrTag)) {
            if (found.startsWith("`") || found.endsWith("/>")) {
                continue;
            }
            add(index);
            from = index + found.length;
            hasTag = true;
            if (found.startsWith("</")) {
                hiddenAt = hiddenAt === depth ? 0 : hiddenAt;
                depth -= 1;
            } else {
                depth += 1;
                hiddenAt = hiddenAt === 0 && /\bfor=\{?["']humans["']/.test(found) ? depth : hiddenAt;
            }
            if (depth < 0) {
                return markdown;
            }
        }
        const wasHidden = hiddenAt !== 0;
        add(line.length);
        if (hasTag ? text.trim() !== "" : !wasHidden) {
            kept.push(text);
        }
    }
    return depth === 0 ? kept.join("\n") : markdown;
}
