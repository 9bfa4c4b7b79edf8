import { type Comparison } from "@pulumi-static-export/exporter/compare";
import { type PreviewReport } from "../preview/preview-report.js";
import { line, type Section } from "./fit-sections.js";
import { type Writer } from "./writer.js";

/** Whether two exports were compared and differ. */
export function hasPageChanges({ pages = {} }: { pages?: Partial<Comparison> }): boolean {
    return Object.values(pages).some((list) => list.length > 0);
}

/** The pages that change for readers, the most serious changes first. */
export function pageSection({ pages }: PreviewReport, writer: Writer): Section[] {
    const rows = pages === undefined ? [] : pageRows(pages, writer);
    return rows.length === 0 ? [] : [{ heading: "#### Pages", columns: ["Page", "What happens"], rows }];
}

function pageRows(pages: Comparison, writer: Writer): string[] {
    const unredirected = new Set(pages.missingRedirects.map(({ page }) => page));
    const rows = (list: readonly { page: string }[], what: string) =>
        list.map(({ page }) => line([writer.code(page), what]));
    return [
        ...rows(pages.becomePublic, "**becomes public**: only certain readers could read it"),
        ...rows(pages.becomePrivate, "**becomes private**: everybody could read it"),
        ...rows(pages.missingRedirects, "removed without a redirect: readers and search engines get 404"),
        ...pages.deadLinks.map(({ page, href }) =>
            line([writer.code(page), `gets a dead link to ${writer.code(href)}`]),
        ),
        ...rows(
            pages.removed.filter(({ page }) => !unredirected.has(page)),
            "removed; readers are redirected",
        ),
        ...rows(pages.added, "added"),
        ...rows(pages.changed, "changed"),
    ];
}
