import { decodeUri } from "@pulumi-static-export/contract";
import { posix } from "node:path";
import { htmlFileOf } from "../../read/files/routes.js";
import { getOrMake } from "../../text/get-or-make.js";
import { escapeHtml } from "../../text/html-text.js";

/** The maximum size of an icon in a page; a larger file is loaded once, as a picture. */
export const maxIconBytes = 4096;

const iconTag = /<img class="icon" src="([^"]+)" alt=""(?: loading="lazy")?>/g;
const dataStart = "data:image/svg+xml,";

const shape = /<svg\b[^]*<(?:path|circle|ellipse|line|polygon|polyline|rect|text)\b/i;

/** Matches parts of a picture that may have more than one colour, or that depend on preceding text. */
const coloured = /<!ENTITY|<(?:image|style|pattern|filter|foreignObject|mask|use)\b|gradient/i;
const paint = /\b(?:fill|stroke|color|stop-color)\s*[=:]\s*["']?\s*([^"';>]+)/gi;
const textColour = /^(?:none|currentcolor|inherit|transparent|black|#000|#000000)$/i;

/**
 * Gives one-colour icons, which are black or `currentColor`, the colour of the text around them. As pictures,
 * one-colour icons would be black even on dark pages.
 */
export class MaskedIcons {
    readonly #masks = new Map<string, string | undefined>();

    /** @param read returns the text of a small file of the site, if it has the file */
    constructor(private readonly read: (file: string) => string | undefined) {}

    /** Replaces icons of one colour in a page with masks. */
    in(html: string, route: string): string {
        return html.includes('<img class="icon"')
            ? html.replace(iconTag, (tag, src: string) => this.#maskOf(src.replaceAll("&amp;", "&"), route) ?? tag)
            : html;
    }

    #maskOf(src: string, route: string): string | undefined {
        if (src.startsWith(dataStart)) {
            return maskOf(decodeUri(src.slice(dataStart.length)));
        }
        const file = posix.join(posix.dirname(htmlFileOf(route)), decodeUri(src));
        return /^[^:?#]+\.svg$/i.test(src)
            ? getOrMake(this.#masks, file, () => maskOf(this.read(file) ?? ""))
            : undefined;
    }
}

function maskOf(svg: string): string | undefined {
    const isDrawing = svg.length <= maxIconBytes && shape.test(svg) && !coloured.test(svg);
    if (!isDrawing || [...svg.matchAll(paint)].some(([, colour = ""]) => !textColour.test(colour.trim()))) {
        return undefined;
    }
    const source = dataStart + encodeURIComponent(svg.slice(svg.search(/<svg\b/i)).replace(/\p{Surrogate}/gu, ""));
    return `<span class="icon masked" style="${escapeHtml(`--icon:url("${source}")`)}"></span>`;
}
