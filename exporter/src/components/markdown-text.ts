import { type ComponentText } from "./component.js";

export const contentText: ComponentText = ({ inner }) => inner;

export const noText: ComponentText = () => "";

/** Writes a part with a title, which pages show folded or in a tab. */
export const titled =
    (...names: readonly string[]): ComponentText =>
    ({ attribute, inner }) =>
        joined(joined(bold(attribute(...names)), attribute("description"), "\n\n"), inner, "\n\n");

export function joined(head: string | undefined, body: string | undefined, separator: string): string {
    return [head, body].filter((part) => part !== undefined && part !== "").join(separator);
}

export function bold(title: string | undefined): string {
    return title === undefined || title.trim() === "" ? "" : `**${title.trim()}**`;
}

/** Writes text on one line. */
export function inline(text: string): string {
    return text.replace(/(?<!\s)\s*\n\s*/g, " ");
}

/** Writes blocks on one line, without the marks of headings, lists and quotes. */
function nameOf(blocks: string): string {
    const lines = blocks.split("\n").map((line) => line.trim().replace(/^(?:#{1,6}|[-+*>]|\d+\.) +/, ""));
    return lines.length === 1 ? blocks : lines.filter((line) => line !== "").join(" ");
}

export function linked(name: string, href: string | undefined): string {
    return href === undefined || href === ""
        ? name
        : `[${nameOf(name)}](${/[\s()]/.test(href) ? encodeURI(href).replace(/[()]/g, encodeURIComponent) : href})`;
}

export function image(alt: string | undefined, src: string | undefined): string {
    return src === undefined || src.startsWith("data:") ? "" : `!${linked(alt?.replace(/[[\]]/g, "\\$&") ?? "", src)}`;
}

export function quoted(text: string): string {
    return text.replace(/^/gm, "> ").replace(/^> $/gm, ">");
}

export function fenced(code: string, info: string): string {
    const longest = Math.max(2, ...Array.from(code.matchAll(/`{3,}/g), ([run]) => run.length));
    const fence = "`".repeat(longest + 1);
    return `${fence}${info}\n${code.replace(/^\n+|(?<!\n)\n+$/g, "")}\n${fence}`;
}

/**
 * Writes an entry of a list.
 * @param separator the text between the first line and the body; if missing, a colon precedes a body of one line
 */
export function listItem(mark: string, head: string, body: string, separator = ""): string {
    const indented = (text: string) => text.replace(/^(?=[^\n])/gm, " ".repeat(mark.length));
    if (body.trim() === "") {
        return mark + head;
    }
    if (head === "") {
        return mark + indented(body.trim()).trimStart();
    }
    const isShort = separator === "" && !body.includes("\n");
    return isShort ? `${mark}${head}: ${body}` : `${mark}${head}${separator || "\n\n"}${indented(body)}`;
}
