import { bodyOf } from "../../read/front-matter/front-matter.js";
import { type SiteSettings } from "../../read/settings/site-settings.js";
import { routesOfNavigation } from "../../plan/navigation/navigation.js";
import { canonicalUrl, markdownFileOf, siteUrl, type SiteAddress } from "../../read/files/routes.js";
import { type SitePage } from "../../plan/site-page.js";
import { type SitePlan } from "../../plan/site-plan.js";
import { forAgents } from "./for-agents.js";

/** The pages that search engines and programs may list, in reading order. */
export function indexedPages({ pages, navigation, settings }: SitePlan): readonly SitePage[] {
    const listed = new Set(routesOfNavigation(navigation));
    return pages.filter(
        ({ route, meta }) => meta.noindex !== true && (listed.has(route) || settings.indexesAll === true),
    );
}

/**
 * A page as Markdown, with its title and description in front, for readers that are programs.
 *
 * @param options.after a line below the title
 */
export function markdownCopy({ source, title, meta }: SitePage, { after = "" } = {}): string {
    const body = forAgents(bodyOf(source).trim());
    const [own = ""] = /^# [^\n]*/.exec(body) ?? [];
    const lead = meta.description === undefined ? "" : `> ${meta.description}`;
    const parts = [own === "" ? `# ${title}` : own.trimEnd(), after, lead, body.slice(own.length).trim()];
    return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** The site's instructions for programs that read it, in the platform's form; empty if there are none. */
export function agentInstructions({ agentInstructions: text }: SiteSettings): string {
    return text === undefined ? "" : `> ## Agent Instructions\n${text.replace(/^/gm, "> ")}\n`;
}

/** The list of a site's pages that language models look for: https://llmstxt.org */
export function writeLlmsText(
    siteName: string,
    site: SiteAddress,
    settings: SiteSettings,
    pages: readonly SitePage[],
): string {
    const lines = pages.map(({ route, title, meta, hasSource }) => {
        const address = hasSource ? siteUrl(site, encodeURI(markdownFileOf(route))) : canonicalUrl(site, route);
        const description = meta.description === undefined ? "" : `: ${meta.description.replace(/\s+/g, " ")}`;
        return `- [${title.replace(/[[\]]/g, "")}](${address})${description}\n`;
    });
    const summary = settings.description === undefined ? "" : `> ${settings.description.replace(/\s+/g, " ")}\n`;
    const parts = [`# ${siteName}\n`, summary, agentInstructions(settings), `## Pages\n\n${lines.join("")}`];
    return parts.filter((part) => part !== "").join("\n");
}
