import { type WarningKind } from "../problems/warnings.js";
import { type HastNode } from "satteri";
import { type ElementHost } from "./elements.js";
import { type Headings } from "../html/headings.js";
import { type ComponentHost } from "../components/kinds/component.js";
import { writeTag, type TagHost } from "../html/tags.js";

interface PageHost extends ComponentHost {
    renderNodes(nodes: readonly HastNode[]): string;
    /** @param text the beginning of the warning's cause, in upper or lower case: raw HTML keeps no positions */
    warnNear(text: string, kind: WarningKind, reason: string): void;
}

/** How the HTML elements of a page are written. */
export function createElementHost(page: PageHost, headings: Headings, isFolded: () => boolean): ElementHost {
    const tags: TagHost = {
        search: page.search,
        link: (href) => page.link(href),
        claimId: (id) => headings.ids.claimExact(id),
    };
    const unknown = new Set<string>();
    return {
        search: page.search,
        children: (node) => page.renderNodes(node.children),
        tag: (name, properties, inner) =>
            writeTag(name, properties, name === "a" ? () => headings.withinLink(inner) : inner, tags),
        heading: (name, properties, text, inner) => headings.write(name, properties, text, isFolded(), inner),
        code: (code, language, meta) => page.codeBlock(code, language, meta),
        link: (href) => page.link(href),
        unknown: (tagName, reason) => {
            if (!unknown.has(tagName)) {
                unknown.add(tagName);
                page.warnNear(`<${tagName}`, "component", reason);
            }
        },
        warn: (kind, reason) => page.warn(kind, reason),
        warnNear: (text, kind, reason) => page.warnNear(text, kind, reason),
    };
}
