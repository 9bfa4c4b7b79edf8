import {
    sourcesOf,
    agentInstructions,
    apiServer,
    canonicalBase,
    logo,
    metatags,
    redirects,
    tryIt,
    variables,
} from "./setting-readers.js";
import { banner, footer, navbar } from "./page-frame.js";
import { color, fields, is, lightAndDark, oneOf, type ReadSetting, text, texts } from "./setting-values.js";
import { background, codeScheme, fonts } from "./site-looks.js";

/** Where a setting is in `docs.json`, such as `search.prompt`, and how its value is read. */
export type Setting<T> = readonly [path: string, read: ReadSetting<T>];

type Settings = Readonly<Record<string, Setting<unknown>>>;
export type SettingValues<All extends Settings> = {
    readonly [Name in keyof All]?: All[Name] extends Setting<infer T> ? T : never;
};

/** What surrounds a page; a language may have its own. */
export const frameSettings = {
    banner: ["banner", banner],
    navbar: ["navbar", navbar],
    footer: ["footer", footer],
} as const satisfies Settings;

/** How pages of an API look. */
export const apiDisplaySettings = {
    /** Fields within fields are open from the start. */
    isExpanded: ["api.params.expanded", is("all")],
    /** Keys of a schema whose values are labels beside the field's name. */
    labelKeys: ["api.params.post", texts],
    /** Pages show an operation's address with its server, not only its path. */
    hasWholeAddress: ["api.url", is("full")],
    /** The languages of the code that is made, in order. */
    languages: ["api.examples.languages", texts],
    /** Examples of requests leave out the fields that they may leave out. */
    isShort: ["api.examples.defaults", is("required")],
    /** False for pages with only the code that the document brings. */
    makesSamples: ["api.examples.autogenerate", (value) => value !== false],
} as const satisfies Settings;

/** All other settings, except the navigation. */
export const siteSettings = {
    name: ["name", text],
    description: ["description", text],
    favicon: ["favicon", lightAndDark(text)],
    logo: ["logo", logo],
    colors: ["colors", fields({ primary: color, light: color, dark: color })],
    ...frameSettings,
    fonts: ["fonts", fonts],
    background: ["background", background],
    /** Colours of code that do not follow the reader's choice. */
    codeScheme: ["styling.codeblocks", codeScheme],
    /** The page for unknown addresses, and whether it leads to the first page. */
    notFound: ["errors.404", fields({ title: text, description: text, redirect: is(true) })],
    /** What the field of the search says while it is empty. */
    searchPrompt: ["search.prompt", text],
    /** What the site asks of programs that read its Markdown. */
    agentInstructions: ["markdown.instructions", agentInstructions],
    /** Pages name all groups around them, not only the innermost. */
    breadcrumbs: ["styling.eyebrows", is("breadcrumbs")],
    redirects: ["redirects", redirects],
    /** Which colours a first visitor sees; `strict` leaves no choice. */
    appearance: ["appearance", fields({ default: oneOf("light", "dark", "system"), strict: is(true) })],
    iconLibrary: ["icons.library", oneOf("fontawesome", "lucide", "tabler")],
    /** Replaces `{{name}}` on pages. */
    variables: ["variables", variables],
    /** OpenAPI documents for pages that name none. */
    openapi: ["api.openapi", sourcesOf],
    /** AsyncAPI documents for pages that name none. */
    asyncapi: ["api.asyncapi", sourcesOf],
    /** The picture in previews of links. */
    thumbnail: ["thumbnails.background", text],
    /** For pages that do not say something else themselves. */
    metatags: ["seo.metatags", metatags],
    /** What comes before a page's path in its canonical address, instead of the domain. */
    canonicalBase: ["seo.metatags.canonical", canonicalBase],
    /** Pages that the navigation does not list are searched and indexed, too. */
    indexesAll: ["seo.indexing", is("all")],
    /** Pages show the day of their last change. */
    timestamp: ["metadata.timestamp", is(true)],
    /** What comes before the address of an operation that has no document. */
    apiServer: ["api.mdx.server", apiServer],
    /** Whether pages of an API may have a form that sends requests. */
    tryIt: ["api.playground.display", tryIt],
} as const satisfies Settings;

export type FrameSettings = SettingValues<typeof frameSettings>;
export type ApiDisplay = SettingValues<typeof apiDisplaySettings>;

/** The settings of `docs.json`, except its navigation. */
export interface SiteSettings extends SettingValues<typeof siteSettings> {
    /** What languages have in place of the site's own, by their codes. */
    readonly languages?: Readonly<Record<string, FrameSettings>>;
    readonly apiDisplay?: ApiDisplay;
}
