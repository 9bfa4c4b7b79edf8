import { type MdastNode, mdxToMdast } from "satteri";
import { bodyOf } from "../../read/front-matter/front-matter.js";
import { escapeForeignTags } from "../../read/markdown/foreign-syntax.js";
import { leavesTagsOpen } from "../../read/markdown/parse-page.js";
import { repairMdx } from "../../read/markdown/repair-mdx.js";
import { Scope, type ValueRecord } from "../../text/script-value.js";
import { type ModuleFiles } from "../modules/module-files.js";
import { childrenOf, FileText, type PageTexts } from "./file-text.js";

/** The limit for nested snippets, which could otherwise repeat endlessly. */
const maxSnippets = 200;
const maxDepth = 8;

/** Whether a page may contain anything except Markdown. */
const mayHaveMore = /<[A-Za-z>]|\{|^(?:import|export)\s/m;

/**
 * Writes the Markdown of a page's body for programs, with components as text. The page's code does not run. Plain
 * Markdown is not changed.
 *
 * @returns undefined for a body that does not parse
 */
export function textForAgents(
    file: string,
    body: string,
    values: ValueRecord,
    modules: ModuleFiles,
): string | undefined {
    if (!mayHaveMore.test(body)) {
        return body;
    }
    const scope = new Scope();
    scope.set("frontmatter", values);
    Object.entries(values).forEach(([name, value]) => scope.set(name, value));
    return new PageText(modules).of(file, body, scope, 0);
}

class PageText implements PageTexts {
    #snippets = 0;

    constructor(private readonly modules: ModuleFiles) {}

    /** @param scope the names that the file's expressions can use */
    of(file: string, body: string, scope: Scope, depth: number): string | undefined {
        const parsed = parse(escapeForeignTags(body));
        return parsed && new FileText(this, file, parsed.text, scope, depth).of(parsed.nodes);
    }

    /** The text of a snippet; empty beyond the limits, because a site might repeat snippets endlessly. */
    ofSnippet(file: string, scope: Scope, depth: number): string {
        this.#snippets += 1;
        if (depth >= maxDepth || this.#snippets > maxSnippets) {
            return "";
        }
        const body = bodyOf(this.modules.textOf(file));
        return (this.of(file, body, scope, depth + 1) ?? body).trim();
    }

    find(specifier: string, from: string): string | undefined {
        return this.modules.placesOf(specifier, from).find((place) => this.modules.has(place));
    }

    textOf(file: string): string {
        return this.modules.textOf(file);
    }
}

function parse(text: string): { readonly text: string; readonly nodes: readonly MdastNode[] } | undefined {
    if (leavesTagsOpen(text)) {
        return undefined;
    }
    try {
        return { text, nodes: nodesOf(text) };
    } catch (error) {
        const repaired = repairMdx(text, error, (candidate) => void nodesOf(candidate));
        return repaired.isMdx ? { text: repaired.text, nodes: nodesOf(repaired.text) } : undefined;
    }
}

function nodesOf(text: string): readonly MdastNode[] {
    return childrenOf(mdxToMdast(text, { features: { frontmatter: false } }));
}
