import { isKnownElement } from "../../html/known-elements.js";

/** Lines that Markdown may take for code as a whole. */
const indentedLine = /^(?: {4}|\t).*$/;
const openingTag = /<([A-Za-z][\w.-]*)(\s[^<>]*)?(\/?)>/;

/**
 * Closes the tags of elements that HTML does not know: it takes no notice of the slash in `<Badge type="tip" />`, and all
 * that follows would be the element's content. One without attributes that is never closed, such as `<your-key>`, is
 * text. Every line stays where it is.
 *
 * @param code finds what is code
 */
export function readUnknownTags(source: string, code: RegExp): string {
    const closed = new Set([...source.matchAll(/<\/([A-Za-z][\w.-]*)/g)].map(([, name]) => name));
    const codeOrTag = new RegExp(`${code.source}|${indentedLine.source}|${openingTag.source}`, "gm");
    return source.replace(codeOrTag, (whole: string) => {
        const [tag, name = "", attributes, slash] = whole.startsWith("<") ? (openingTag.exec(whole) ?? []) : [];
        if (tag === undefined || isKnownElement(name)) {
            return whole;
        }
        if (slash === "/" || (attributes?.endsWith("/") ?? false)) {
            return `${tag.replace(/\s*\/>$/, ">")}</${name}>`;
        }
        return attributes === undefined && !closed.has(name) ? `&lt;${tag.slice(1)}` : whole;
    });
}
