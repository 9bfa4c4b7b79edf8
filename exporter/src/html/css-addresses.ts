/** Matches a comment, whose content is ignored; an address in `url(…)`; and one after `@import`. */
const address =
    /\/\*(?:[\s\S]*?\*\/|[\s\S]*$)|\burl\(\s*(?:(["'])([^"'()\n]+)\1|([^"'()\s]+))\s*\)|(@import\s+)(["'])([^"'\n]+)\5/gi;

/**
 * CSS with its addresses rewritten for the place where it is loaded.
 * @param rewrite also gets the line in the text, from 1
 */
export function rewriteCssAddresses(css: string, rewrite: (href: string, line: number) => string): string {
    let line = 1;
    let end = 0;
    const pieces: string[] = [];
    for (const match of css.matchAll(address)) {
        const [whole, , quoted, bare, atImport, , imported] = match;
        const before = css.slice(end, match.index);
        line += before.split("\n").length - 1;
        const href = quoted ?? bare ?? imported;
        const rewritten = href === undefined ? undefined : rewrite(href, line).replaceAll('"', "%22");
        pieces.push(
            before,
            rewritten === undefined || rewritten === href
                ? whole
                : atImport === undefined
                  ? `url("${rewritten}")`
                  : `${atImport}"${rewritten}"`,
        );
        line += whole.split("\n").length - 1;
        end = match.index + whole.length;
    }
    return pieces.join("") + css.slice(end);
}
