import { bodyOf } from "../read/front-matter.js";
import { canonicalUrl } from "../read/routes.js";
import { type SitePage } from "../plan/site-page.js";

/** A page as Markdown, with its title and description in front, for readers that are programs. */
export function markdownCopy({ source, title, meta }: SitePage): string {
    const body = bodyOf(source).trim();
    const heading = /^# /.test(body) ? "" : `# ${title}\n\n`;
    const lead = meta.description === undefined ? "" : `> ${meta.description}\n\n`;
    return `${heading}${lead}${body}\n`;
}

/** The list of a site's pages that language models look for: https://llmstxt.org */
export function writeLlmsText(siteName: string, domain: string, pages: readonly SitePage[]): string {
    const lines = pages.map(({ route, title, meta, hasSource }) => {
        const address = hasSource ? `https://${domain}/${encodeURI(route)}.md` : canonicalUrl(domain, route);
        const description = meta.description === undefined ? "" : `: ${meta.description.replace(/\s+/g, " ")}`;
        return `- [${title.replace(/[[\]]/g, "")}](${address})${description}\n`;
    });
    return `# ${siteName}\n\n## Pages\n\n${lines.join("")}`;
}
