import { highlight } from "./highlight.js";
import { escapeHtml } from "./html-text.js";
import { textOf, type HastElement, type PageRenderer } from "./page-renderer.js";

/** A fenced block: highlighted now, so that the page needs no script to show it. */
export function writeCodeBlock(pre: HastElement, renderer: PageRenderer): string {
    const code = pre.children.find((child) => child.type === "element" && child.tagName === "code");
    if (code?.type !== "element") return renderer.writeElement("pre", pre.properties, pre);
    const language = languageOf(code);
    const title = titleOf((code.data as { meta?: string } | undefined)?.meta);
    const text = textOf(code);
    renderer.search.add(`${text} `);
    const head = title === undefined ? "" : `<div class="code-title">${escapeHtml(title)}</div>`;
    const label = title ?? language;
    const languageClass = language === undefined ? "" : ` class="language-${escapeHtml(language)}"`;
    const data = label === undefined ? "" : ` data-title="${escapeHtml(label)}"`;
    const body = `<code${languageClass}>${highlight(text, language)}</code>`;
    return `<div class="code"${data}>${head}<pre tabindex="0">${body}</pre></div>`;
}

function languageOf(code: HastElement): string | undefined {
    const classes = code.properties["className"];
    const name = Array.isArray(classes) ? classes.find((item) => String(item).startsWith("language-")) : undefined;
    return name === undefined ? undefined : String(name).slice("language-".length).toLowerCase();
}

/** ```` ```ts title="main.ts" ```` or the short form ```` ```ts main.ts {1,3} ````. */
function titleOf(meta: string | undefined): string | undefined {
    if (meta === undefined) return undefined;
    const quoted = /\btitle=(?:"([^"]*)"|'([^']*)')/.exec(meta);
    if (quoted !== null) return quoted[1] ?? quoted[2];
    const words = meta
        .replace(/\w+=(?:"[^"]*"|'[^']*'|\{[^}]*\})|\{[^}]*\}|\b(?:lines|wrap|expandable|twoslash)\b/g, "")
        .trim();
    return words === "" ? undefined : words;
}
