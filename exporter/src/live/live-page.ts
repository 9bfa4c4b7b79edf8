import { type SiteWarning } from "../problems/warning-log.js";
import { ownFolder } from "../read/files/published-names.js";
import { escapeHtml } from "../text/html-text.js";

/** The response to a request of a browser. */
export type LiveFile =
    | { readonly kind: "page"; readonly status: 200 | 404; readonly html: string }
    | { readonly kind: "text"; readonly text: string }
    /** A file on this machine. */
    | { readonly kind: "file"; readonly path: string }
    | { readonly kind: "redirect"; readonly to: string };

export interface PageState {
    /**
     * A digest of the page's HTML: a browser that shows an older version reloads. The digest is empty for an address
     * without a page.
     */
    readonly digest: string;
    readonly warnings: readonly SiteWarning[];
    /** The reason why the current site cannot be exported and an older version is shown. */
    readonly problem: string | undefined;
}

/** Adds the script that reloads the page and shows its warnings. @param file the page's source */
export function withLiveScript(html: string, file: string | undefined, state: PageState): string {
    const data = escapeHtml(JSON.stringify({ file, ...state }));
    const tag = `<script src="/${ownFolder}/live.js" data-live="${data}"></script>\n`;
    const end = html.lastIndexOf("</body>");
    return html.slice(0, end) + tag + html.slice(end);
}

/** Returns the page for an address that the site does not contain yet, or cannot show because of a problem. */
export function failedPage(path: string, problem: string | undefined): LiveFile {
    const [title, text] =
        problem === undefined
            ? [
                  "This page does not exist",
                  `The site has no page or file ${path}. This page reloads when the site has it.`,
              ]
            : ["The site cannot be shown", `${problem}. This page reloads when the problem is fixed.`];
    const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${title}</title></head>
<body style="font: 1rem/1.6 system-ui, sans-serif; margin: 4rem auto; max-width: 40rem; padding: 0 1rem">
<h1>${title}</h1>
<p>${escapeHtml(text)}</p>
<p><a href="/">Home</a></p>
</body>
</html>
`;
    const state = { digest: "", warnings: [], problem };
    return { kind: "page", status: 404, html: withLiveScript(html, undefined, state) };
}
