/**
 * Matches an address in `url(…)` or after `@import`, and comments, whose content is ignored. An address in quotes may be
 * a picture with further addresses.
 */
const address =
    /\/\*(?:[\s\S]*?\*\/|[\s\S]*$)|\burl\(\s*(?:"([^"\n]+)"|'([^'\n]+)'|([^"'()\s]+))\s*\)|(@import\s+)(["'])([^"'\n]+)\5/gi;

/**
 * Rewrites the addresses in CSS for the place where the CSS is loaded.
 * @param rewrite called with an address and the line of its first character, counted from 1
 */
export function rewriteCssAddresses(css: string, rewrite: (href: string, line: number) => string): string {
    let line = 1;
    let end = 0;
    const pieces: string[] = [];
    for (const match of css.matchAll(address)) {
        const [whole, quoted, single, bare, atImport, , imported] = match;
        const before = css.slice(end, match.index);
        line += before.split("\n").length - 1;
        const href = quoted ?? single ?? bare ?? imported;
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
