import { getOrMake } from "../../text/get-or-make.js";
import { type Division, type DivisionKind, type NavLink } from "../../plan/navigation/navigation.js";
import { type WithIcon } from "../../read/settings/setting-values.js";
import { canonicalUrl, hasDomain, htmlFileOf, relativeHref, type SiteAddress } from "../../read/files/routes.js";
import { escapeHtml } from "../../text/html-text.js";
import { type Choice, type Level, type Places } from "../../plan/navigation/places.js";
import { type FrameId } from "./frame-ids.js";
import { word } from "../../words/words.js";

export interface Switchers {
    /** Menus of the header: languages, versions, products, dropdowns. */
    readonly menus: string;
    /** The row of tabs; empty for a site without tabs. */
    readonly tabs: string;
    /** The content above the sidebar's pages: anchors, the menu of a tab, and global links. */
    readonly anchors: string;
    readonly language: string | undefined;
    /** The same page in the other languages. */
    readonly alternates: readonly { readonly language: string; readonly url: string }[];
}

/** The context for writing links from a page to others. */
export interface WaysOptions {
    readonly places: Places;
    /** A link of the settings, rewritten for a page. */
    readonly link: (href: string, fromRoute: string) => string;
    /** Returns an icon as HTML; empty without an icon. */
    readonly icon: (shown: WithIcon, fromRoute: string) => string;
}

interface SwitchersOptions extends WaysOptions {
    readonly globalLinks: readonly NavLink[];
    readonly site: SiteAddress;
}

const menuLabels: Partial<Record<DivisionKind, string>> = {
    language: word("language"),
    version: word("version"),
    product: word("product"),
    dropdown: word("section"),
};

const rightToLeft = new Set(["ar", "he", "fa", "ur"]);

/** Writes the links from one part of the site to the others. */
export class SwitcherWriter {
    constructor(private readonly options: SwitchersOptions) {}

    write(route: string): Switchers {
        const section = this.options.places.of(route)?.section;
        const levels = section === undefined ? [] : this.options.places.levelsOf(section);
        const menus = levels.map((level) => this.#menu(level, route)).join("");
        const tabs = levels
            .filter(({ kind, choices }) => kind === "tab" && choices.length > 1)
            .map((level) => `<ul class="sections">${this.#items(level, route)}</ul>`);
        const anchors = levels
            .filter(({ kind }) => kind === "anchor" || kind === "item")
            .map((level) => `<ul class="anchors">${this.#items(level, route)}</ul>`);
        const global = this.options.globalLinks.map((link) => linkItem(link, route, this.options)).join("");
        const languages = levels.find(({ kind }) => kind === "language");
        return {
            menus,
            tabs: tabs.join(""),
            anchors: anchors.join("") + (global === "" ? "" : `<ul class="anchors">${global}</ul>`),
            language: languages?.current.division.name,
            alternates: languages === undefined ? [] : this.#alternates(languages, route),
        };
    }

    #menu(level: Level, route: string): string {
        const label = menuLabels[level.kind];
        if (label === undefined || level.choices.length < 2) {
            return "";
        }
        const { division } = level.current;
        const shown = this.options.icon(division, route) + nameOf(division) + navTag(division.tag);
        const idFor = (name: FrameId) => (level.kind === "language" ? ` id="${name}"` : "");
        const named = `<span class="visually-hidden">${label}: </span>${shown}`;
        const summary = `<summary${idFor("localization-select-trigger")}>${named}</summary>`;
        const list = `<ul${idFor("localization-select-content")}>${this.#items(level, route)}</ul>`;
        return `<details class="switcher">${summary}${list}</details>`;
    }

    #items(level: Level, route: string): string {
        return level.choices
            .map((choice) => {
                const href = this.#href(choice, level, route);
                const { division } = choice;
                const mark = choice === level.current ? ' aria-current="true"' : "";
                const lang = level.kind === "language" ? ` lang="${escapeHtml(languageTag(division.name))}"` : "";
                const description = level.kind === "tab" ? undefined : division.description;
                const lacks = this.options.places.lacksPage(choice, level, route) ? word("pageMissing") : undefined;
                const below = [description === undefined ? undefined : escapeHtml(description), lacks]
                    .filter((each) => each !== undefined)
                    .map((each) => `<span class="choice-text">${each}</span>`);
                const text =
                    this.options.icon(division, route) + nameOf(division) + navTag(division.tag) + below.join("");
                return `<li><a href="${escapeHtml(href)}"${lang}${mark}>${text}</a></li>`;
            })
            .join("");
    }

    #href(choice: Choice, level: Level, route: string): string {
        if (choice.division.href !== undefined) {
            return this.options.link(choice.division.href, route);
        }
        const target = this.options.places.targetOf(choice, level, route);
        return target === undefined ? "" : relativeHref(route, htmlFileOf(target));
    }

    #alternates(level: Level, route: string): { language: string; url: string }[] {
        return level.choices.flatMap((choice) => {
            const same = choice === level.current ? route : this.options.places.samePage(choice, level, route);
            return same === undefined || !hasDomain(this.options.site)
                ? []
                : [{ language: languageTag(choice.division.name), url: canonicalUrl(this.options.site, same) }];
        });
    }
}

/** A link of the navigation in a list. */
export function linkItem(item: NavLink, route: string, { icon, link }: WaysOptions): string {
    return `<li><a href="${escapeHtml(link(item.href, route))}">${icon(item, route)}${escapeHtml(item.title)}</a></li>`;
}

/** A badge after a name in the navigation, such as "New". */
export function navTag(tag: string | undefined): string {
    return tag === undefined ? "" : ` <span class="nav-tag">${escapeHtml(tag)}</span>`;
}

/** `rtl` for languages that are written from right to left. */
export function directionOf(language: string): "ltr" | "rtl" {
    return rightToLeft.has(languageTag(language).split("-")[0] ?? "") ? "rtl" : "ltr";
}

function nameOf({ kind, name }: Division): string {
    return escapeHtml(kind === "language" ? languageName(name) : name);
}

/** Codes of settings that browsers and search engines do not accept as language tags. */
const tagsOfCodes: Readonly<Record<string, string>> = { cn: "zh", jp: "ja" };

/** The language tag that browsers use for a code, such as `zh` for `cn` and `pt-BR` for `pt_BR`. */
export function languageTag(code: string): string {
    return Object.hasOwn(tagsOfCodes, code) ? (tagsOfCodes[code] as string) : code.replaceAll("_", "-");
}

const languageNames = new Map<string, string>();

/** A language's own name, such as "Deutsch" for `de`. */
export function languageName(code: string): string {
    return getOrMake(languageNames, code, () => {
        const standard = languageTag(code);
        try {
            return new Intl.DisplayNames([standard], { type: "language" }).of(standard) ?? code;
        } catch {
            return code;
        }
    });
}
