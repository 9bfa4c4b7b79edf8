import { dayOfChange } from "../../read/front-matter/front-matter.js";
import { belowBasePath, canonicalUrl, homeRoute, htmlFileOf } from "../../read/files/routes.js";
import { type SitePage } from "../../plan/site-page.js";
import { type SitePlan } from "../../plan/site-plan.js";
import { redirectMap, redirectPages } from "./redirect-files.js";
import { writeRedirect, writeRedirectHome } from "./redirect-page.js";
import { sitemapFiles, writeRobots } from "./sitemap-and-robots.js";

/**
 * The files that every site gets, unless the site has its own.
 * @param indexed the pages that search engines and programs may list
 * @param notFound the page for unknown addresses
 */
export function generatedFiles(
    plan: SitePlan,
    indexed: readonly SitePage[],
    siteName: string,
    notFound: string,
): Map<string, string> {
    const { pages, targets } = plan;
    const entries = indexed.map(({ route, meta }) => ({ route, changedOn: dayOfChange(meta) }));
    const files = new Map([
        ...(targets.assets.has("sitemap.xml") ? [] : sitemapFiles(targets, entries)),
        ["robots.txt", writeRobots(targets)],
        ["404.html", notFound],
    ]);
    const [first] = pages;
    if (first !== undefined) {
        files.set("index.html", writeRedirectHome(targets, first.route));
    }
    const ownPages = ["404", homeRoute].filter((route) => targets.exported.has(route)).map(htmlFileOf);
    const missing = [...files].filter(([file]) => !targets.assets.has(file) && !ownPages.includes(file));
    return new Map([...redirectPages(plan), ...missing]);
}

/** The entry pages of a private part. @param isFirst whether the part contains the site's first page */
export function filesOfPart(plan: SitePlan, isFirst: boolean): Map<string, string> {
    const files = redirectPages(plan);
    const first = plan.pages.find(({ route }) => plan.own.has(route));
    if (isFirst && first !== undefined && !plan.targets.exported.has(homeRoute)) {
        files.set(htmlFileOf(homeRoute), writeRedirectHome(plan.targets, first.route));
    }
    return files;
}

/**
 * The files that servers and robots expect at the root of a domain, even if the site is a folder of the export. If the
 * site is at the root, the site's own files with the expected names are copied like all other files.
 */
export function rootFiles(plan: SitePlan, notFound: string): Map<string, string> {
    const { targets, content } = plan;
    const files = redirectMap(plan);
    if (targets.basePath === "") {
        return files;
    }
    const start = belowBasePath(targets.basePath, "");
    return files
        .set("index.html", writeRedirect(start + htmlFileOf(homeRoute), canonicalUrl(targets, homeRoute)))
        .set("404.html", notFound)
        .set("robots.txt", targets.assets.has("robots.txt") ? content.readText("robots.txt") : writeRobots(targets));
}
