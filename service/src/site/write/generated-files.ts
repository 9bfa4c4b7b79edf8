import { type FrontMatter } from "../read/front-matter.js";
import { routesOfNavigation } from "../read/navigation.js";
import { homeRoute, htmlFileOf } from "../read/routes.js";
import { type SitePlan } from "../plan/site-plan.js";
import { writeLlmsText } from "./markdown-copies.js";
import { redirectFiles } from "./redirects.js";
import { writeNotFound, writeRedirectHome, writeRobots, writeSitemap } from "./side-files.js";

/** What every site has; one that brings its own keeps that. */
export function generatedFiles(plan: SitePlan, siteName: string): Map<string, string> {
    const { pages, targets, navigation } = plan;
    const { domain } = targets;
    const listed = new Set(routesOfNavigation(navigation));
    const listedPages = pages.filter(({ route }) => listed.has(route));
    const indexed = listedPages.filter(({ meta }) => meta.noindex !== true);
    const entries = indexed.map(({ route, meta }) => ({ route, changedOn: dayOfChange(meta) }));
    const files = new Map([
        ["sitemap.xml", writeSitemap(domain, entries)],
        ["robots.txt", writeRobots(domain)],
        ["llms.txt", writeLlmsText(siteName, domain, listedPages)],
        ["404.html", writeNotFound(siteName)],
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

const dayPattern = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\d-])/;

/** Files' own times tell when they were fetched, so only what a page says itself counts. */
function dayOfChange({ values = {} }: FrontMatter): string | undefined {
    for (const name of ["lastmod", "lastModified", "lastUpdated", "updated", "date"]) {
        const value = values[name];
        const day = value === undefined ? undefined : dayPattern.exec(String(value))?.[0];
        if (day !== undefined) {
            return day;
        }
    }
    return undefined;
}
