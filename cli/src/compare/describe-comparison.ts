import { createCleaner } from "../report/clean-text.js";
import { type ComparedPage, type Comparison } from "../preview/comparison.js";

/** How many lines of a kind are listed. A large change is read with --json. */
const maxListed = 100;

/** A comparison as a list for people. */
export function describeComparison(comparison: Comparison): string {
    const { added, changed, removed, deadLinks, missingRedirects, becomePrivate, becomePublic } = comparison;
    const unredirected = new Set(missingRedirects.map(({ page }) => page));
    const lines = [
        ...list(
            "public",
            becomePublic.map((page) => `${describePage(page)}, which only certain readers could read`),
        ),
        ...list(
            "private",
            becomePrivate.map((page) => `${describePage(page)}, which everybody could read`),
        ),
        ...list("added", added.map(describePage)),
        ...list("changed", changed.map(describePage)),
        ...list(
            "removed",
            removed.map(
                (removedPage) =>
                    describePage(removedPage) +
                    (unredirected.has(removedPage.page)
                        ? ", without a redirect: readers and search engines get 404"
                        : ""),
            ),
        ),
        ...list(
            "dead link",
            deadLinks.map(({ page, href }) => `${page} leads to ${href}`),
        ),
    ];
    const opened = becomePublic.length === 0 ? "" : `${becomePublic.length} become public, `;
    const closed = becomePrivate.length === 0 ? "" : `${becomePrivate.length} become private, `;
    const counts = `${opened}${closed}${added.length} added, ${changed.length} changed, ${removed.length} removed, ${deadLinks.length} new dead links`;
    return [...lines, lines.length === 0 ? "No page differs." : counts].join("\n");
}

function describePage({ page, title }: ComparedPage): string {
    return title === "" ? page : `${page} (${title})`;
}

/** The sites are untrusted: their texts must not look like lines of this list. */
function list(kind: string, texts: readonly string[]): string[] {
    const clean = createCleaner([]);
    const rest = texts.length - maxListed;
    return [
        ...texts.slice(0, maxListed).map((text) => `${kind.padEnd(10)}${clean(text, { characters: 300 })}`),
        ...(rest > 0 ? [`${kind.padEnd(10)}${rest} more: --json lists them`] : []),
    ];
}
