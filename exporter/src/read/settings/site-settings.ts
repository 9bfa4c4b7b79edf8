import { banner, footer, navbar } from "./frame-settings.js";
import {
    agentInstructions,
    apiServer,
    canonicalBase,
    color,
    fields,
    is,
    lightAndDark,
    logo,
    metatags,
    oneOf,
    pagesFolder,
    type ReadSetting,
    redirects,
    sourcesOf,
    text,
    texts,
    tryIt,
    variables,
    synonymGroups,
} from "./setting-values.js";
import { feedback, siteIntegrations } from "./read-integrations.js";
import { pageMenu } from "./page-menu.js";
import { background, codeScheme, fonts } from "./appearance-settings.js";

/** A setting's path in `docs.json`, such as `search.prompt`, and the function that reads its value. */
export type Setting<T> = readonly [path: string, read: ReadSetting<T>];

type Settings = Readonly<Record<string, Setting<unknown>>>;
export type SettingValues<All extends Settings> = {
    readonly [Name in keyof All]?: All[Name] extends Setting<infer T> ? T : never;
};

/** The settings for the frame of a page, which a language may override. */
export const frameSettings = {
    banner: ["banner", banner],
    navbar: ["navbar", navbar],
    footer: ["footer", footer],
} as const satisfies Settings;

/** The look of API pages. */
export const apiDisplaySettings = {
    /** Whether nested fields are initially open. */
    isExpanded: ["api.params.expanded", is("all")],
    /** Whether pages show an operation's address with its server, not only its path. */
    hasWholeAddress: ["api.url", is("full")],
    /** The languages of generated code, in order. */
    languages: ["api.examples.languages", texts],
    /** Whether examples of requests leave out optional fields. */
    isShort: ["api.examples.defaults", is("required")],
    /** If false, pages show only the document's own code samples. */
    makesSamples: ["api.examples.autogenerate", (value) => value !== false],
    /** Whether "Try it" sends the reader's cookies with every request. */
    sendsCookies: ["api.playground.credentials", is(true)],
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
    /** The colour scheme of code that looks the same on light and dark pages. */
    codeScheme: ["styling.codeblocks", codeScheme],
    /** The page for unknown addresses, and whether it redirects to the first page. */
    notFound: ["errors.404", fields({ title: text, description: text, redirect: is(true) })],
    /** The placeholder of the search field. */
    searchPrompt: ["search.prompt", text],
    /** Groups of words that the search treats as the same word. */
    searchSynonyms: ["search.synonyms", synonymGroups],
    /** Third-party services that pages load. */
    integrations: ["integrations", siteIntegrations],
    /** Questions to readers about each page. */
    feedback: ["feedback", feedback],
    /** The menu of each page, with options such as copying the page as Markdown. */
    pageMenu: ["contextual", pageMenu],
    /** The site's instructions for programs that read its Markdown. */
    agentInstructions: ["markdown.instructions", agentInstructions],
    /** Whether pages name all groups that contain them, not only the innermost. */
    breadcrumbs: ["styling.eyebrows", is("breadcrumbs")],
    redirects: ["redirects", redirects],
    /** The colours for first-time visitors; with `strict`, visitors cannot change them. */
    appearance: ["appearance", fields({ default: oneOf("light", "dark", "system"), strict: is(true) })],
    iconLibrary: ["icons.library", oneOf("fontawesome", "lucide", "tabler")],
    /** The values that replace `{{name}}` on pages, by name. */
    variables: ["variables", variables],
    /** OpenAPI documents for pages that name no document. */
    openapi: ["api.openapi", sourcesOf],
    /** The folder for pages of operations, unless an entry of the navigation has another. */
    apiFolder: ["api.openapi", pagesFolder],
    /** AsyncAPI documents for pages that name no document. */
    asyncapi: ["api.asyncapi", sourcesOf],
    /** The picture in link previews. */
    thumbnail: ["thumbnails.background", text],
    /** Defaults for pages. */
    metatags: ["seo.metatags", metatags],
    /** The prefix of canonical addresses, instead of the domain. */
    canonicalBase: ["seo.metatags.canonical", canonicalBase],
    /** Whether pages outside of the navigation are searched and indexed. */
    indexesAll: ["seo.indexing", is("all")],
    /** Whether pages show the day of their last change. */
    timestamp: ["metadata.timestamp", is(true)],
    /** The prefix of addresses of operations without a document. */
    apiServer: ["api.mdx.server", apiServer],
    /** Whether API pages may have a form that sends requests. */
    tryIt: ["api.playground.display", tryIt],
} as const satisfies Settings;

export type FrameSettings = SettingValues<typeof frameSettings>;
export type ApiDisplay = SettingValues<typeof apiDisplaySettings>;

/** The settings of `docs.json`, except its navigation. */
export interface SiteSettings extends SettingValues<typeof siteSettings> {
    /** Settings that languages override, by language code. */
    readonly languages?: Readonly<Record<string, FrameSettings>>;
    readonly apiDisplay?: ApiDisplay;
}
