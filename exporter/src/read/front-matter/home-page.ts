import { unescapeHtml } from "../../text/html-text.js";
import { isPlain, isRecord, recordsOf } from "../../text/json-values.js";

/** The top section of a home page, from the front matter of VitePress and Starlight. */
export interface Hero {
    readonly name?: string;
    readonly text?: string;
    readonly tagline?: string;
    readonly picture?: { readonly src: string; readonly alt: string };
    readonly actions: readonly HomeLink[];
}

export interface HomeLink {
    readonly text: string;
    readonly href: string;
}

/** The text of a card on a VitePress home page. */
export interface Feature {
    readonly title: string;
    readonly details?: string;
    readonly href?: string;
}

/** The maximum number of entries; no home page has more. */
const maxEntries = 50;

export interface HomePage {
    readonly hero?: Hero;
    readonly features: readonly Feature[];
}

export function homePageOf({ layout, hero, features }: Readonly<Record<string, unknown>>): HomePage | undefined {
    return layout !== "home" && !isRecord(hero)
        ? undefined
        : { ...(isRecord(hero) && { hero: heroOf(hero) }), features: layout === "home" ? featuresOf(features) : [] };
}

function heroOf(hero: Readonly<Record<string, unknown>>): Hero {
    const picture = pictureOf(hero["image"]);
    return {
        ...texts({ name: hero["name"] ?? hero["title"], text: hero["text"], tagline: hero["tagline"] }),
        ...(picture && { picture }),
        actions: recordsOf(hero["actions"])
            .slice(0, maxEntries)
            .map(({ text, link }) => texts({ text, href: link }))
            .flatMap(({ text, href }) => (text === undefined || href === undefined ? [] : [{ text, href }])),
    };
}

function featuresOf(features: unknown): Feature[] {
    const all = recordsOf(features).slice(0, maxEntries);
    return all.map(({ title, details, link }) => ({ title: "", ...texts({ title, details, href: link }) }));
}

/** One picture, or the first of two pictures for light and dark pages. */
function pictureOf(image: unknown): Hero["picture"] {
    if (typeof image === "string") {
        return { src: image, alt: "" };
    }
    const { src, light, file, alt = "" } = isRecord(image) ? texts(image) : {};
    const shown = src ?? light ?? file;
    return shown === undefined ? undefined : { src: shown, alt };
}

/** Returns the fields that contain text, with HTML tags removed. */
function texts<Name extends string>(values: Readonly<Record<Name, unknown>>): { readonly [N in Name]?: string } {
    const found = Object.entries(values)
        .filter((entry): entry is [string, string | number | boolean] => isPlain(entry[1]))
        .map(([name, value]) => [name, unescapeHtml(String(value).replace(/<[^<>]*>/g, "")).trim()])
        .filter(([, text]) => text !== "");
    return Object.fromEntries(found) as { readonly [N in Name]?: string };
}
