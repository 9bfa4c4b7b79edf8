import { asRecord, isRecord, listOf, recordsOf, textOf } from "../../text/json-values.js";
import { type BuilderPages, type Entry, type Json, socialLink } from "./builder-pages.js";
import { humanize } from "../../text/strings.js";

/**
 * Converts the settings of Starlight, an integration in `astro.config.*`, to a `docs.json`. As in Starlight, the
 * default language's page replaces a page that a language lacks.
 * @param routes of all pages
 */
export function fromStarlight(astro: unknown, pages: BuilderPages, routes: readonly string[]): Json | undefined {
    const integrations = listOf(asRecord(astro)["integrations"]).flat();
    const starlight = integrations.find((each) => isRecord(each) && ("title" in each || "sidebar" in each));
    if (!isRecord(starlight)) {
        return undefined;
    }
    const { title, description, sidebar, defaultLocale } = starlight;
    const locales = Object.entries(asRecord(starlight["locales"])).filter(([, locale]) => isRecord(locale));
    const prefixes = locales.map(([key]) => (key === "root" ? "" : key));
    const first = textOf(defaultLocale) ?? locales[0]?.[0] ?? "root";
    const firstPrefix = first === "root" ? "" : first;
    const langOf = (key: string) => textOf(asRecord(asRecord(starlight["locales"])[key])["lang"]) ?? key;
    const others = prefixes.filter((prefix) => prefix !== firstPrefix && prefix !== "");
    const isOfOther = (file: string) => others.some((prefix) => file.startsWith(`${prefix}/`));
    const entriesFor = (prefix: string) =>
        sidebar === undefined
            ? pages.below(prefix, prefix === "" ? isOfOther : undefined)
            : listOf(sidebar).flatMap((entry) => entryOf(entry, prefix, firstPrefix, langOf(prefix || "root"), pages));
    const navigation =
        locales.length < 2
            ? { pages: entriesFor("") }
            : {
                  languages: locales.map(([key]) => {
                      const prefix = key === "root" ? "" : key;
                      return { language: langOf(key), default: key === first, pages: entriesFor(prefix) };
                  }),
              };
    const own = new Set(routes);
    const ofFirst = routes
        .filter((route) => (firstPrefix === "" ? !isOfOther(`${route}/`) : route.startsWith(`${firstPrefix}/`)))
        .map((route) => (firstPrefix === "" ? route : route.slice(firstPrefix.length + 1)));
    const redirects = others.flatMap((prefix) =>
        ofFirst
            .map((route) => ({ route, at: route === "index" ? prefix : `${prefix}/${route}` }))
            .filter(({ at }) => !own.has(at))
            .map(({ route, at }) => ({ source: `/${at}`, destination: `/${joined(firstPrefix, route)}` })),
    );
    return {
        name: isRecord(title) ? (title[langOf(first)] ?? Object.values(title)[0]) : title,
        description,
        navbar: { links: socialLinks(starlight["social"]) },
        navigation,
        redirects,
    };
}

function entryOf(entry: unknown, prefix: string, firstPrefix: string, language: string, pages: BuilderPages): Entry[] {
    const find = (slug: string) => pages.find(joined(prefix, slug)) ?? pages.find(joined(firstPrefix, slug));
    if (typeof entry === "string") {
        return [find(entry) ?? []].flat();
    }
    if (!isRecord(entry)) {
        return [];
    }
    const { label, slug, link, items, collapsed, translations } = entry;
    const page = textOf(slug) ?? textOf(link);
    if (page !== undefined) {
        const route = find(page);
        return route === undefined ? [] : [route];
    }
    const directory = textOf(asRecord(entry["autogenerate"])["directory"]);
    const inside =
        directory === undefined
            ? listOf(items).flatMap((each) => entryOf(each, prefix, firstPrefix, language, pages))
            : [joined(prefix, directory), joined(firstPrefix, directory)]
                  .map((folder) => pages.below(folder))
                  .find((list) => list.length > 0);
    const name = textOf(asRecord(translations)[language]) ?? textOf(label) ?? humanize(directory ?? "");
    return inside === undefined || inside.length === 0
        ? []
        : [{ group: name, pages: inside, expanded: collapsed !== true }];
}

function joined(prefix: string, path: string): string {
    const inside = path.replace(/^\/+|\/+$/g, "");
    return prefix === "" ? inside : `${prefix}/${inside}`;
}

/** Reads a list of links, or, as in older versions, an object with addresses by name. */
function socialLinks(social: unknown): unknown[] {
    return isRecord(social)
        ? Object.entries(social).flatMap(([name, href]) => socialLink(name, href))
        : recordsOf(social).flatMap(({ label, icon, href }) => socialLink(icon, href, label));
}
