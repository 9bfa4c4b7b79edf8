import { routesOfNavigation } from "../read/navigation.js";
import { homeRoute, htmlFileOf } from "../read/routes.js";
import { type SitePlan } from "../read/site-plan.js";
import { writeLlmsText } from "./markdown-copies.js";
import { writeNotFound, writeRedirectHome, writeRobots, writeSitemap } from "./side-files.js";

/** What every site has; one that brings its own keeps that. */
export function generatedFiles({ pages, targets, navigation }: SitePlan, siteName: string): Map<string, string> {
    const { domain } = targets;
    const listed = new Set(routesOfNavigation(navigation));
    const listedPages = pages.filter(({ route }) => listed.has(route));
    const indexed = listedPages.filter(({ meta }) => meta.noindex !== true).map(({ route }) => route);
    const files = new Map([
        ["sitemap.xml", writeSitemap(domain, indexed)],
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
    return files;
}
