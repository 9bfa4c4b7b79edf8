import { textOfLead } from "../../html/lead.js";
import { getOrMake } from "../../text/get-or-make.js";
import { homeRoute } from "../../read/files/routes.js";
import {
    routesOfNavigation,
    type NavItem,
    type Navigation,
    type NavSection,
} from "../../plan/navigation/navigation.js";
import { Places } from "../../plan/navigation/places.js";
import { type SitePage } from "../../plan/site-page.js";
import { type SitePlan } from "../../plan/site-plan.js";
import { chunksOf } from "../../text/chunks.js";
import { ownFolder } from "../../read/files/published-names.js";

/** The pages that search engines and programs may list, in reading order. */
export function indexedPages({ pages, navigation, settings }: SitePlan): readonly SitePage[] {
    const listed = new Set(routesOfNavigation(navigation));
    return pages.filter(
        ({ route, meta }) => meta.noindex !== true && (listed.has(route) || settings.indexesAll === true),
    );
}

/** A part of the site's navigation, with its pages without duplicates. */
export interface ListedSection {
    readonly title: string;
    readonly pages: readonly SitePage[];
}

/** The title of pages outside of all groups. */
const untitled = "Docs";

/**
 * The pages of the default language and version, by the outermost groups of the navigation. Pages outside of the
 * navigation come last, by their addresses.
 *
 * @param indexed the pages that programs may list
 */
export function sectionsForAgents({ navigation }: SitePlan, indexed: readonly SitePage[]): readonly ListedSection[] {
    const waiting = new Map(indexed.map((page) => [page.route, page]));
    const sections = new Map<string, SitePage[]>();
    const add = (title: string, route: string): void => {
        const page = waiting.get(route);
        if (page !== undefined && waiting.delete(route)) {
            getOrMake(sections, title, () => []).push(page);
        }
    };
    for (const { path, items } of defaultSections(navigation)) {
        const around = path.filter(({ kind }) => kind !== "language" && kind !== "version").map(({ name }) => name);
        for (const item of items) {
            const names = item.kind === "group" ? [...around, item.title] : around;
            routesIn(item).forEach((route) => add(names.join(" – ") || untitled, route));
        }
    }
    routesOfNavigation(navigation).forEach((route) => waiting.delete(route));
    [...waiting.keys()].sort().forEach((route) => add(untitled, route));
    return [...sections].map(([title, pages]) => ({ title, pages }));
}

function routesIn(item: NavItem): string[] {
    return routesOfNavigation({ sections: [{ path: [], items: [item] }], links: [] });
}

/** The sections of the default language and version. */
export function defaultSections(navigation: Navigation): readonly NavSection[] {
    const places = new Places(navigation);
    return navigation.sections.filter((section) =>
        places.levelsOf(section).every(({ kind, choices, current }) => {
            const filled = choices.filter(({ sections }) => sections.some(({ items }) => items.length > 0));
            const first = filled.find(({ division }) => division.isDefault === true) ?? filled[0];
            return (kind !== "language" && kind !== "version") || current.division === first?.division;
        }),
    );
}

/**
 * Writes the list of all pages for servers that answer questions about the site, including pages that do not fit into
 * llms.txt.
 */
export function* pageListFiles(indexed: readonly SitePage[]): Generator<readonly [file: string, content: string]> {
    const parts = chunksOf(indexed, pagesOfPart);
    for (const [at, part] of (parts.length === 0 ? [[]] : parts).entries()) {
        const pages = part.map(({ route, title, meta: { description } }) => [
            route === homeRoute ? "" : route,
            title,
            ...(description === undefined ? [] : [textOfLead(description)]),
        ]);
        yield [`${ownFolder}/pages-${at + 1}.json`, `${JSON.stringify({ pages, isLast: at + 1 >= parts.length })}\n`];
    }
}

const pagesOfPart = 5000;
