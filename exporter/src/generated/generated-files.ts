import { dayOfChange } from "../front-matter/days.js";
import { homeRoute, htmlFileOf } from "../files/routes.js";
import { type SitePage } from "../plan/site-page.js";
import { type SitePlan } from "../plan/site-plan.js";
import { writeLlmsText } from "./markdown-copies.js";
import { redirectFiles } from "./redirects.js";
import { type NotFoundText, writeNotFound, writeRedirectHome, writeRobots, writeSitemap } from "./side-files.js";

/** What every site has; one that brings its own keeps that. @param indexed the pages that others are told of */
export function generatedFiles(
    plan: SitePlan,
    indexed: readonly SitePage[],
    siteName: string,
    notFound: NotFoundText,
): Map<string, string> {
    const { pages, targets, settings } = plan;
    const { domain } = targets;
    const entries = indexed.map(({ route, meta }) => ({ route, changedOn: dayOfChange(meta) }));
    const files = new Map([
        ["sitemap.xml", writeSitemap(domain, entries)],
        ["robots.txt", writeRobots(domain)],
        ["llms.txt", writeLlmsText(siteName, domain, settings, indexed)],
        ["404.html", writeNotFound(siteName, notFound)],
        ["index.html", writeRedirectHome(domain, (pages[0] as { route: string }).route)],
    ]);
    for (const file of [...files.keys()]) {
        if (targets.assets.has(file)) {
            files.delete(file);
        }
    }
    for (const route of ["404", homeRoute]) {
        if (targets.exported.has(route)) {
            files.delete(htmlFileOf(route));
        }
    }
    return new Map([...redirectFiles(plan), ...files]);
}
