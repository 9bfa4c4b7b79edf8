import { type RenderedBody } from "../../html/rendered-body.js";
import { type SiteAddress } from "../../read/files/routes.js";
import { type SitePage } from "../../plan/site-page.js";
import { type WithIcon } from "../../read/settings/setting-values.js";
import { type FrameSettings, type SiteSettings } from "../../read/settings/site-settings.js";
import { type Switchers } from "./switchers.js";

export interface PageLink {
    readonly href: string;
    readonly title: string;
}

/** The data of one page; links are already relative to the page, except links of the settings. */
export interface PageView {
    readonly siteName: string;
    readonly site: SiteAddress;
    readonly settings: SiteSettings;
    /** The settings of the page's frame, in its language. */
    readonly navbar: FrameSettings["navbar"];
    readonly footer: FrameSettings["footer"];
    /** A link of the settings, rewritten for the page. */
    readonly href: (href: string) => string;
    /** An icon of the settings as HTML. */
    readonly icon: (shown: WithIcon) => string;
    readonly page: SitePage;
    readonly body: RenderedBody;
    /** Without markup. */
    readonly description: string | undefined;
    readonly leadHtml: string | undefined;
    /** The groups that the page names above its title, outermost first. */
    readonly group: readonly string[];
    /** The page for programs; undefined for a page that only lists other pages. */
    readonly markdown: string | undefined;
    /** The published document that describes the page's operation, relative to the page. */
    readonly documentHref: string | undefined;
    /** The entries of the page's group, if the page lists them. */
    readonly directoryHtml: string;
    readonly related: readonly PageLink[];
    /** The code of the page's language; undefined for English. */
    readonly language: string | undefined;
    /** Whether search engines may list the page. */
    readonly isIndexed: boolean;
    readonly switchers: Switchers;
    readonly sidebarHtml: string;
    /** Whether the sidebar omits entries, which a script loads. */
    readonly isListCut: boolean;
    /** The feed of the page's updates, relative to the page. */
    readonly feedHref: string | undefined;
    readonly logo: { readonly light: string; readonly dark: string } | undefined;
    /** A note at the top of the page, as HTML. */
    readonly bannerHtml: string;
    /** Links to the site's own style sheets. */
    readonly styles: readonly string[];
    /** The colours of links and marks, as CSS; empty for the theme's own. */
    readonly accentStyle: string;
    /** Deviations of the page from the theme, except colours of links and marks, as CSS. */
    readonly lookStyle: string;
    /** Whether the page contains classes that may be Tailwind's. */
    readonly hasUtilities: boolean;
    /** Whether the page contains a request form. */
    readonly hasTryIt: boolean;
    /** The part of the site that the page's search covers; undefined for an export without search. */
    readonly searchScope: number | undefined;
    /** The page's language and version in the navigation, for the assistant; undefined if the site has only one. */
    readonly searchFilter: Readonly<Record<string, string>> | undefined;
    /** Whether the site's address has an MCP server, according to the export's options. */
    readonly hasMcp: boolean;
    /** The number of the page's section in the navigation. */
    readonly section: number;
    readonly previous: PageLink | undefined;
    readonly next: PageLink | undefined;
}
