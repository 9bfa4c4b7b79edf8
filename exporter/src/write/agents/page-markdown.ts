import { specificationOf } from "../../api/page-subject.js";
import { documentExcerpt } from "./document-excerpt.js";
import { type RenderedBody } from "../../html/rendered-body.js";
import { bodyOf } from "../../read/front-matter/front-matter.js";
import { type LinkTargets } from "../../plan/links/link-resolver.js";
import { type SitePlan } from "../../plan/site-plan.js";
import { type SiteSettings } from "../../read/settings/site-settings.js";
import { type SitePage } from "../../plan/site-page.js";
import { isMdxFile } from "../../read/files/routes.js";
import { PageText } from "../../read/markdown/page-text/page-text.js";
import { withLinkAddresses } from "./link-addresses.js";
import { withoutHidden, withoutScriptAttributes } from "./shown-markdown.js";

/** The body of a page for programs. */
export function textOfBody({ source, file }: SitePage, { markdown }: RenderedBody): string {
    const isMdx = isMdxFile(file);
    const text = markdown === undefined ? undefined : withoutScriptAttributes(markdown, isMdx);
    return (text ?? forAgents(withoutHidden(bodyOf(source), isMdx))).trim();
}

/**
 * A page as Markdown for programs, with its title and description at the top.
 * @param body of the page, for programs
 * @param site to which the description's links lead
 * @param options.after a line below the title
 */
export function markdownCopy(page: SitePage, body: string, site: LinkTargets, { after = "" } = {}): string {
    const { title, meta } = page;
    const [own = ""] = /^# [^\n]*/.exec(body) ?? [];
    const { description } = meta;
    const lead =
        description === undefined ? "" : withLinkAddresses(description.trim(), page, site).replace(/^/gm, "> ");
    const parts = [own === "" ? `# ${title}` : own.trimEnd(), after, lead, body.slice(own.length).trim()];
    return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** A page as Markdown, with the part of the document that describes its operation, and the site's instructions. */
export function markdownForAgents(page: SitePage, body: string, { settings, targets }: SitePlan): string {
    const parts = [markdownCopy(page, body, targets), schemaOf(page, targets), agentInstructions(settings)];
    return parts.filter((part) => part !== "").join("\n");
}

function schemaOf(page: SitePage, targets: LinkTargets): string {
    const { subject } = page;
    if (subject === undefined) {
        return "";
    }
    const text = documentExcerpt(subject, (markdown) =>
        withLinkAddresses(withoutHidden(markdown, false), page, targets),
    );
    const heading = specificationOf(subject);
    if (text === undefined) {
        return `## ${heading}\n\nThe description is too long for this page. It is in ${subject.file}.\n`;
    }
    const { kind } = subject;
    const title = kind === "channel" ? subject.name : subject.title;
    const name = kind === "operation" ? `${subject.method.toUpperCase()} ${subject.path}` : title;
    const longest = Math.max(3, ...Array.from(text.matchAll(/`{3,}/g), ([run]) => run.length));
    const fence = "`".repeat(longest + 1);
    return `## ${heading}\n\n${fence}json ${subject.file} ${name}\n${text}${fence}\n`;
}

/**
 * The site's instructions for programs that read the site, in the platform's form; empty for a site without
 * instructions.
 */
export function agentInstructions({ agentInstructions: text }: SiteSettings): string {
    return text === undefined ? "" : `> ## Agent Instructions\n${text.replace(/^/gm, "> ")}\n`;
}

/**
 * The Markdown of a page for programs: without the content of `<Visibility for="humans">`, and without the tags around
 * content for programs. A page with unbalanced tags is not changed.
 */
function forAgents(markdown: string): string {
    if (!markdown.includes("<Visibility")) {
        return markdown;
    }
    const page = new PageText(markdown, true);
    let depth = 0;
    let hiddenAt = 0;
    const kept: string[] = [];
    for (const { text: line, start, isCode } of page.lines()) {
        if (isCode) {
            kept.push(...(hiddenAt === 0 ? [line] : []));
            continue;
        }
        let text = "";
        let from = 0;
        const add = (to: number) => {
            text += hiddenAt === 0 ? line.slice(from, to) : "";
        };
        let hasTag = false;
        for (const tag of page.within(start, start + line.length)) {
            const found = markdown.slice(tag.start, tag.end);
            if (tag.kind !== "tag" || !/^<\/?Visibility\b/.test(found) || found.endsWith("/>")) {
                continue;
            }
            add(tag.start - start);
            from = tag.end - start;
            hasTag = true;
            if (found.startsWith("</")) {
                hiddenAt = hiddenAt === depth ? 0 : hiddenAt;
                depth -= 1;
            } else {
                depth += 1;
                hiddenAt = hiddenAt === 0 && /\bfor=\{?["']humans["']/.test(found) ? depth : hiddenAt;
            }
            if (depth < 0) {
                return markdown;
            }
        }
        const wasHidden = hiddenAt !== 0;
        add(line.length);
        if (hasTag ? text.trim() !== "" : !wasHidden) {
            kept.push(text);
        }
    }
    return depth === 0 ? kept.join("\n") : markdown;
}
