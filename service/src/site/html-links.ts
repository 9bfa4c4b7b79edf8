import { escapeHtml } from "./html-text.js";

const linkAttributes = new Set(["href", "src", "poster"]);

const startTag = /<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi;
const attribute = /([\s/]([^\s"'<>/=]+)\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/g;

/** Rewrites the links that an attribute of this name holds; every other attribute keeps its value. */
export function rewriteLinks(name: string, value: string, rewrite: (href: string) => string): string {
    const attributeName = name.toLowerCase();
    if (linkAttributes.has(attributeName)) return rewrite(value);
    return attributeName === "srcset" ? rewriteSrcset(value, rewrite) : value;
}

/** Hands every attribute of an HTML text that has a value to `rewrite`; what stays the same stays as it was written. */
export function rewriteHtmlAttributes(html: string, rewrite: (name: string, value: string) => string): string {
    return html.replace(startTag, (tag) =>
        tag.replace(
            attribute,
            (whole: string, start: string, name: string, double?: string, single?: string, bare?: string) => {
                const value = (double ?? single ?? bare ?? "").replaceAll("&amp;", "&");
                const rewritten = rewrite(name, value);
                return rewritten === value ? whole : `${start}"${escapeHtml(rewritten)}"`;
            },
        ),
    );
}

/** A candidate is an address, which may hold commas but does not end in one, and what it is meant for: `a.png 2x`. */
function rewriteSrcset(srcset: string, rewrite: (href: string) => string): string {
    return srcset.replace(
        /([^\s,](?:\S*[^\s,])?)([^,]*)/g,
        (_, href: string, meantFor: string) => rewrite(href) + meantFor,
    );
}
