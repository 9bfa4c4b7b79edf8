import { dayOfChange } from "../../read/front-matter/front-matter.js";
import { belowBasePath, canonicalUrl, homeRoute, htmlFileOf } from "../../read/files/routes.js";
import { type SitePage } from "../../plan/site-page.js";
import { type SitePlan } from "../../plan/site-plan.js";
import { redirectMap } from "./redirect-files.js";
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
    return new Map([...files].filter(([file]) => !targets.assets.has(file) && !ownPages.includes(file)));
}

/** The home page of a site without public pages, which leads to the first page of a private part. */
export function* homeOfPart({ pages, own, targets }: SitePlan): Generator<[file: string, html: string]> {
    const first = pages.find(({ route }) => own.has(route));
    if (first !== undefined && !targets.exported.has(homeRoute)) {
        yield [htmlFileOf(homeRoute), writeRedirectHome(targets, first.route)];
    }
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
