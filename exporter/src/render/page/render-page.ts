import { isMdxFile } from "../../read/files/routes.js";
import { HeadingIds } from "../../html/heading-ids.js";
import { type HeadingOptions } from "../../html/headings.js";
import { PageRenderer } from "./page-renderer.js";
import { type RenderedPage, type RenderHost } from "./render-host.js";
import { parsePage } from "../../read/markdown/parse-page.js";
import { emptyRecord, type ValueRecord } from "../../text/script-value.js";

export interface PageOptions extends Partial<Omit<HeadingOptions, "title">> {
    /** The page's description, which stands below its title. */
    readonly description?: string | undefined;
    /** @default as the file's name says */
    readonly isMdx?: boolean;
}

/**
 * Renders a page's source, front matter included. Its code runs in an engine of its own.
 *
 * @param values the front matter's, which expressions see by their names and as `frontmatter`
 * @throws EngineNotLoadedError
 */
export function renderPage(
    file: string,
    source: string,
    values: ValueRecord,
    host: RenderHost,
    { description, isMdx = isMdxFile(file), ids = new HeadingIds(), minLevel = 1, pageName }: PageOptions = {},
): RenderedPage {
    const { root, repairs } = parsePage(source, isMdx);
    for (const { line, reason } of repairs) {
        host.warn("syntax", { file, line }, reason);
    }
    const title = typeof values["title"] === "string" && values["title"] !== "" ? values["title"] : undefined;
    const renderer = new PageRenderer({ file, root, title, ids, minLevel, pageName, length: source.length }, host);
    try {
        const frontmatter = Object.assign(emptyRecord(), values);
        return renderer.render(Object.assign(emptyRecord(), values, { frontmatter }), description);
    } finally {
        renderer.dispose();
    }
}
