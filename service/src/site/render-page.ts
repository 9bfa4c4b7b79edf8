import { markdownToHast, mdxToHast, type HastNode } from "satteri";
import { PageRenderer, type LinkRewriter, type RenderedBody } from "./page-renderer.js";
import { SiteError } from "./site-error.js";

/** Renders a page's source, front matter included. Nothing in it is executed. */
export function renderPage(file: string, source: string, rewriteLink: LinkRewriter): RenderedBody {
    return new PageRenderer(file, rewriteLink).renderBody(parsePage(file, source));
}

function parsePage(file: string, source: string): HastNode {
    if (!/\.mdx$/i.test(file)) return markdownToHast(source, { features: { headingAttributes: true } });
    try {
        return mdxToHast(source);
    } catch (error) {
        throw asSiteError(file, error);
    }
}

/** The parser says `3:1: reason (mdx-jsx:rule)`, with the line counted from the top of the file. */
function asSiteError(file: string, error: unknown): SiteError {
    const message = error instanceof Error ? error.message : String(error);
    const [, line, reason] = /^(\d+):\d+(?:-\d+:\d+)?: ([\s\S]*?)(?: \([\w:-]+\))?$/.exec(message) ?? [];
    return new SiteError(file, line === undefined ? undefined : Number(line), reason ?? message, { cause: error });
}
