import { specificationOf } from "../../api/page-subject.js";
import { wordsBefore } from "../../text/strings.js";
import { textOfLead } from "../../html/lead.js";
import { type NavItem, type NavLink } from "../../plan/navigation/navigation.js";
import { type SitePlan } from "../../plan/site-plan.js";
import { type SiteSettings } from "../../read/settings/site-settings.js";
import { encodePath, hasDomain, markdownFileOf, siteUrl } from "../../read/files/routes.js";
import { type SitePage } from "../../plan/site-page.js";
import { defaultSections, type ListedSection } from "./listed-pages.js";
import { agentInstructions } from "./page-markdown.js";

/** The maximum length of the list: models handle longer lists badly. */
const maxCharacters = 100_000;

/** The maximum number of entries; the address of each entry takes at least 20 characters. */
const mostEntries = maxCharacters / 20;

/** The maximum length of the part about documents and links to other sites. */
const maxFurtherCharacters = 20_000;

/** The maximum length of a page's description. */
const maxDescription = 300;

interface LlmsTextOptions {
    readonly plan: SitePlan;
    readonly siteName: string;
    readonly sections: readonly ListedSection[];
    /** The files of the site that everybody may read. */
    readonly published: ReadonlySet<string>;
}

interface Entry {
    readonly link: string;
    readonly description: string;
}

interface EntrySection {
    readonly title: string;
    readonly entries: readonly Entry[];
}

/**
 * The list of a site's pages that language models read: https://llmstxt.org. A list that would be too long first gets
 * shorter descriptions, and then omits entries and gives their number.
 */
export function writeLlmsText({ plan, siteName, sections, published }: LlmsTextOptions): string {
    const { settings, targets } = plan;
    let left = mostEntries;
    const take = (ofSection: readonly SitePage[]) => {
        const taken = ofSection.slice(0, left);
        left -= taken.length;
        return taken;
    };
    const count = sections.reduce((sum, section) => sum + section.pages.length, 0);
    const pages = sections.map(({ title, pages: ofSection }) => ({
        title,
        entries: take(ofSection).map(({ route, title: name, meta }) => ({
            link: linkTo(name, siteUrl(targets, encodePath(markdownFileOf(route)))),
            description: firstParagraph(meta.description),
        })),
    }));
    const further = furtherSections(plan, published).map((section) => cutSection(section, maxFurtherCharacters / 4));
    const text = [headOf(siteName, settings)];
    const room = maxCharacters - lengthOf(further, 0) - (text[0]?.length ?? 0);
    const length = count > mostEntries ? undefined : longestDescription(pages, room);
    const fitting = length === undefined ? cutSections(pages, room - noteLength) : pages;
    text.push(...textsOf(fitting, length ?? 0), ...textsOf(further, 0));
    if (length === undefined) {
        const shown = fitting.reduce((sum, { entries }) => sum + entries.length, 0);
        const all = hasDomain(targets) ? ` All pages: ${siteUrl(targets, "sitemap.xml")}` : "";
        text.push(`> This list leaves out ${count - shown} of ${count} pages.${all}\n`);
    }
    return text.join("\n");
}

/** Room for the note about omitted pages. */
const noteLength = 1000;

function headOf(siteName: string, settings: SiteSettings): string {
    const { description } = settings;
    const summary = description === undefined ? "" : `> ${textOfLead(description)}\n`;
    return [`# ${onOneLine(siteName)}\n`, summary, agentInstructions(settings)]
        .filter((part) => part !== "")
        .join("\n");
}

/** The documents that describe the site's APIs, and the links of the navigation to other sites. */
function furtherSections({ pages, navigation, targets }: SitePlan, published: ReadonlySet<string>): EntrySection[] {
    const documents = { OpenAPI: new Set<string>(), AsyncAPI: new Set<string>() };
    for (const { subject } of pages) {
        if (subject !== undefined && published.has(subject.file)) {
            documents[specificationOf(subject)].add(subject.file);
        }
    }
    const sections = defaultSections(navigation);
    const links = [...sections.flatMap(({ items }) => linksIn(items)), ...navigation.links];
    const elsewhere = new Map(links.filter(isElsewhere).map(({ href, title }) => [href, title]));
    return [
        ...Object.entries(documents).map(([kind, files]) => ({
            title: `${kind} Specs`,
            entries: [...files].map((file) => entryOf(nameOf(file), siteUrl(targets, encodePath(file)))),
        })),
        { title: "Optional", entries: [...elsewhere].map(([href, title]) => entryOf(title, href)) },
    ];
}

function entryOf(name: string, address: string): Entry {
    return { link: linkTo(name, address), description: "" };
}

function linksIn(items: readonly NavItem[]): NavLink[] {
    return items.flatMap((item) => (item.kind === "group" ? linksIn(item.items) : item.kind === "link" ? item : []));
}

function isElsewhere({ href }: NavLink): boolean {
    return /^https?:\/\/[^\s()<>]+$/i.test(href);
}

/** The name of the document in `api/openapi.json` is `openapi`. */
function nameOf(file: string): string {
    return file.slice(file.lastIndexOf("/") + 1).replace(/\.[^.]+$/, "");
}

function linkTo(name: string, address: string): string {
    return `- [${onOneLine(name.replace(/[[\]]/g, "").replaceAll("\\", "\\\\"))}](${address})`;
}

function onOneLine(text: string): string {
    return text.replace(/\s+/g, " ").trim();
}

/** As plain text, because an address in the description would lead from this file to another place. */
function firstParagraph(description = ""): string {
    return textOfLead(description.trim().split(/\n\s*\n/)[0] ?? "");
}

function cut(description: string, length: number): string {
    return description.length <= length ? description : `${wordsBefore(description, length - 1, " ").trimEnd()}…`;
}

function lineOf({ link, description }: Entry, length: number): string {
    return description === "" || length < 2 ? `${link}\n` : `${link}: ${cut(description, length)}\n`;
}

function textsOf(sections: readonly EntrySection[], length: number): string[] {
    return sections
        .filter(({ entries }) => entries.length > 0)
        .map(
            ({ title, entries }) =>
                `## ${onOneLine(title)}\n\n${entries.map((entry) => lineOf(entry, length)).join("")}`,
        );
}

/** An upper bound for the number of characters in sections. */
function lengthOf(sections: readonly EntrySection[], length: number): number {
    return sections.reduce((sum, section) => sum + lengthOfSection(section, length), 0);
}

function lengthOfSection({ title, entries }: EntrySection, length: number): number {
    const ofEntries = entries.reduce((sum, entry) => sum + lengthOfEntry(entry, length), 0);
    return entries.length === 0 ? 0 : ofEntries + title.length + headingLength;
}

/** The number of characters around a title, with line breaks. */
const headingLength = 6;

function lengthOfEntry({ link, description }: Entry, length: number): number {
    return link.length + Math.min(description.length, length) + 3;
}

/**
 * The maximum description length with which all pages fit; undefined if the pages do not fit even without descriptions.
 */
function longestDescription(sections: readonly EntrySection[], room: number): number | undefined {
    let [low, high] = [-1, maxDescription];
    while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        [low, high] = lengthOf(sections, middle) <= room ? [middle, high] : [low, middle - 1];
    }
    return low === -1 ? undefined : low;
}

/** The first entries that fit, without descriptions. */
function cutSections(sections: readonly EntrySection[], room: number): EntrySection[] {
    let left = room;
    return sections.map((section) => {
        const shown = cutSection(section, left);
        left -= lengthOfSection(shown, 0);
        return shown;
    });
}

function cutSection({ title, entries }: EntrySection, room: number): EntrySection {
    let left = room - title.length - headingLength;
    const end = entries.findIndex((entry) => (left -= lengthOfEntry(entry, 0)) < 0);
    return { title, entries: end === -1 ? entries : entries.slice(0, end) };
}
