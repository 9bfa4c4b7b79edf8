import { posix } from "node:path";
import { asRecord, isRecord, listOf, recordsOf, textOf, withoutUndefined } from "../../text/json-values.js";
import { type BuilderPages, type Entry, type Json, navigationOfTabs, socialLink } from "./builder-pages.js";
import { humanize } from "../../text/strings.js";

/** Converts the settings of VitePress to a `docs.json`. */
export function fromVitePress(config: unknown, pages: BuilderPages): Json | undefined {
    const settings = asRecord(config);
    const { title, description, locales } = settings;
    const theme = asRecord(settings["themeConfig"]);
    const languages = Object.entries(asRecord(locales)).flatMap(([key, locale]) => {
        const own = asRecord(locale);
        // Skips a language without pages, because the settings only link to its separate site.
        if (key !== "root" && pages.below(key).length === 0) {
            return [];
        }
        const navigation = navigationOf({ ...theme, ...asRecord(own["themeConfig"]) }, pages);
        const language = textOf(own["lang"]) ?? (key === "root" ? (textOf(settings["lang"]) ?? "en") : key);
        return navigation === undefined ? [] : [{ language, default: key === "root", ...navigation }];
    });
    return withoutUndefined({
        name: textOf(theme["siteTitle"]) ?? title ?? asRecord(asRecord(locales)["root"])["title"],
        description,
        logo: logoOf(theme["logo"]),
        navbar: {
            links: [
                ...navLinks(theme["nav"]),
                ...recordsOf(theme["socialLinks"]).flatMap(({ icon, link, ariaLabel }) =>
                    socialLink(icon, link, ariaLabel),
                ),
            ],
        },
        navigation: languages.length > 1 ? { languages } : navigationOf(theme, pages),
    });
}

/** Reads a sidebar: one list, or several lists by address prefix, which become tabs. */
function navigationOf({ sidebar, nav }: Json, pages: BuilderPages): Json | undefined {
    if (Array.isArray(sidebar)) {
        return { pages: entriesOf(sidebar, "", pages) };
    }
    if (!isRecord(sidebar)) {
        return undefined;
    }
    const tabs = Object.entries(sidebar).map(([path, list]) => {
        const { items = list, base } = asRecord(list);
        return { tab: nameOf(path, nav), pages: entriesOf(listOf(items), textOf(base) ?? "", pages) };
    });
    return navigationOfTabs(tabs);
}

/** The text of the top bar's link to this address. */
function nameOf(path: string, nav: unknown): string {
    const links = recordsOf(nav).flatMap((link) => [link, ...recordsOf(link["items"])]);
    const found = links.find(({ link }) => typeof link === "string" && link.startsWith(path) && path !== "/");
    const folder = posix.basename(path);
    return textOf(found?.["text"]) ?? humanize(folder || "Documentation");
}

function entriesOf(items: readonly unknown[], around: string, pages: BuilderPages): Entry[] {
    return items.filter(isRecord).flatMap((item): Entry[] => {
        const base = textOf(item["base"]) ?? around;
        const link = textOf(item["link"]);
        const isExternal = link !== undefined && /^[a-z][a-z\d+.-]*:/i.test(link);
        const route = link === undefined || isExternal ? undefined : pages.find(base + link);
        const inside = entriesOf(listOf(item["items"]), base, pages);
        if (inside.length === 0) {
            return route === undefined ? [] : [route];
        }
        const group = textOf(item["text"]);
        const root = route === undefined ? {} : { root: route };
        return group === undefined ? inside : [{ group, pages: inside, expanded: item["collapsed"] !== true, ...root }];
    });
}

function navLinks(nav: unknown): unknown[] {
    return recordsOf(nav).flatMap(({ text, link }) =>
        typeof link === "string" && /^https?:/.test(link) ? [{ label: text, href: link }] : [],
    );
}

/** A path below `public/`, where VitePress expects such files. */
function logoOf(logo: unknown): Json | undefined {
    const { light = logo, dark = light, src = light } = asRecord(logo);
    return typeof src === "string" ? { light: `/public${src}`, dark: `/public${textOf(dark) ?? src}` } : undefined;
}
