import { trimTrailing } from "@pulumi-static-export/contract";
import { type ExportFeatures } from "../read/settings/deployment.js";
import { getsEvents } from "../read/settings/describe-integrations.js";
import { integrationOf } from "../read/settings/integration-table.js";
import {
    menuOptions,
    type MenuNeed,
    type MenuOption,
    type OwnMenuOption,
    type PageMenu,
} from "../read/settings/page-menu.js";
import { type FrameSettings, type SiteSettings } from "../read/settings/site-settings.js";
import { type Logo } from "../read/settings/setting-values.js";
import { type FoundWarning, type SettingPlace } from "../problems/warning-log.js";
import { resolveLink, type LinkTargets } from "./links/link-resolver.js";
import { isAddressTag } from "../read/front-matter/metatags.js";
import { type NavLink } from "./navigation/navigation.js";
import { hasDomain, homeRoute } from "../read/files/routes.js";

const lacks: Readonly<Record<Exclude<MenuNeed, "pdf">, string>> = {
    assistant: "an air-gapped deployment has no assistant",
    aiTools: "an air-gapped deployment cannot reach AI tools outside its network",
    mcp: "an air-gapped deployment has no MCP server",
};

/** Removes the settings that the deployment cannot serve, with a warning for each. */
export function servableSettings(
    settings: SiteSettings,
    features: ExportFeatures,
    domain: string,
): { readonly settings: SiteSettings; readonly problems: readonly FoundWarning[] } {
    const problems: FoundWarning[] = [];
    const report: Report = (setting, reason) => void problems.push({ kind: "settings", setting, reason });
    const { pageMenu, integrations, feedback, ...others } = settings;
    const servable: SiteSettings = {
        ...others,
        ...(pageMenu && { pageMenu: servableMenu(pageMenu, features, report) }),
        ...(integrations && {
            integrations: servableServices(integrations, features, report, hostsOf(settings, domain)),
        }),
    };
    const asked = feedback && answerableFeedback(feedback, servable, report);
    return {
        settings: { ...servable, ...(asked && { feedback: asked }) },
        problems,
    };
}

type Report = (setting: SettingPlace, reason: string) => void;

/** The reasons why pages hide certain options at first. */
const isHidden = {
    mcp:
        "is hidden until the deployment declares an MCP server, as the chart does with answer.enabled. Export with " +
        "--answer if `static-export answer` serves the site's address",
    pdf: "is hidden until `static-export pdf --offer` has printed a PDF of this export",
};

function servableMenu(menu: PageMenu, features: ExportFeatures, report: Report): PageMenu {
    const { aiTools, assistant, search, mcp } = features;
    const has = { assistant, aiTools, mcp: search };
    const options = (menu.options ?? []).filter((option) => {
        const need = needOf(option);
        const name = typeof option === "string" ? option : option.title;
        if (need === "pdf" || (need === "mcp" && search && !mcp)) {
            report({ value: name }, `the option "${name}" of contextual.options ${isHidden[need]}`);
            return true;
        }
        if (need === undefined || has[need]) {
            return true;
        }
        report({ value: name }, `the option "${name}" of contextual.options is left out: ${lacks[need]}`);
        return false;
    });
    return { ...menu, options };
}

function needOf(option: MenuOption | OwnMenuOption): MenuNeed | undefined {
    if (typeof option === "string") {
        return menuOptions[option];
    }
    return option.query.some(([, value]) => value.includes("$mcp")) ? "mcp" : undefined;
}

type Integrations = NonNullable<SiteSettings["integrations"]>;

function servableServices(
    given: Integrations,
    features: ExportFeatures,
    report: Report,
    hosts: readonly string[],
): Integrations {
    if (features.services) {
        return { ...given, hosts };
    }
    for (const { name } of given.services) {
        const reason = `pages of an air-gapped deployment send nothing to ${integrationOf(name).title}`;
        report({ path: `integrations.${name}` }, `the setting "integrations.${name}" has no effect: ${reason}`);
    }
    return { ...given, services: [], consent: {} };
}

/** Returns the site's host names; none for a site on this machine. */
function hostsOf({ canonicalBase }: SiteSettings, domain: string): string[] {
    const canonical = canonicalBase === undefined ? domain : new URL(canonicalBase).hostname;
    return [...new Set([domain, canonical])].filter((host) => hasDomain({ domain: host }));
}

type Feedback = NonNullable<SiteSettings["feedback"]>;

/** Removes questions whose answers nobody would receive, and links into an unknown repository. */
function answerableFeedback(asked: Feedback, { integrations }: SiteSettings, report: Report): Feedback {
    const { thumbsRating = false, suggestEdit = false, raiseIssue = false, repository } = asked;
    const isHeard = integrations !== undefined && getsEvents(integrations);
    if (thumbsRating && !isHeard) {
        report(
            { path: "feedback.thumbsRating" },
            'the setting "feedback.thumbsRating" has no effect: no service of "integrations" receives the answers',
        );
    }
    const hasRepository = repository !== undefined && /^https:\/\/[\w.:-]+\/[\w./~-]+$/.test(repository);
    const needed =
        '"feedback.repository" must be the address of the site\'s folder, such as https://github.com/acme/docs/tree/main/docs';
    for (const [name, isAsked] of Object.entries({ suggestEdit, raiseIssue })) {
        if (isAsked && !hasRepository) {
            report({ path: `feedback.${name}` }, `the setting "feedback.${name}" has no effect: ${needed}`);
        }
    }
    return {
        thumbsRating: thumbsRating && isHeard,
        suggestEdit: suggestEdit && hasRepository,
        raiseIssue: raiseIssue && hasRepository,
        ...(hasRepository && { repository: trimTrailing(repository, "/") }),
    };
}

/** Removes links from the settings if readers may not open their targets. */
export function withReadableLinks(settings: SiteSettings, isReadable: (href: string) => boolean): SiteSettings {
    const ofLanguages = Object.entries(settings.languages ?? {}).map(
        ([code, frame]) => [code, readableFrame(frame, isReadable)] as const,
    );
    const { logo, pageMenu } = settings;
    return {
        ...readableFrame(settings, isReadable),
        ...(pageMenu && { pageMenu: readableMenu(pageMenu, isReadable) }),
        ...(logo && { logo: readableLogo(logo, isReadable) }),
        languages: Object.fromEntries(ofLanguages),
    };
}

/** A logo with a link to an excluded page links to the home page instead. */
function readableLogo(logo: Logo, isReadable: (href: string) => boolean): Logo {
    const { href, ...pictures } = logo;
    return href === undefined || isReadable(href) ? logo : pictures;
}

function readableMenu(menu: PageMenu, isReadable: (href: string) => boolean): PageMenu {
    return {
        ...menu,
        options: (menu.options ?? []).filter((option) => typeof option === "string" || isReadable(option.href)),
    };
}

function readableFrame<Frame extends FrameSettings>(frame: Frame, isReadable: (href: string) => boolean): Frame {
    const { navbar, footer } = frame;
    const only = <T extends { readonly href: string }>(links: readonly T[] = []) =>
        links.filter(({ href }) => isReadable(href));
    return {
        ...frame,
        ...(navbar && { navbar: { links: only(navbar.links), primary: only(navbar.primary) } }),
        ...(footer && {
            footer: {
                links: (footer.links ?? [])
                    .map(({ title, items }) => ({ title, items: only(items), wasEmpty: items.length === 0 }))
                    .flatMap(({ wasEmpty, ...column }) => (wasEmpty || column.items.length > 0 ? [column] : [])),
                socials: only(footer.socials),
            },
        }),
    };
}

/** The pictures and links of the settings are on every page, so a broken one is reported once for all pages. */
export function brokenSettingLinks(
    { logo, favicon, fonts, background, metatags = {}, languages = {}, pageMenu, ...site }: SiteSettings,
    globalLinks: readonly NavLink[],
    targets: LinkTargets,
): FoundWarning[] {
    const ofFrames = [site, ...Object.values(languages)].flatMap(({ navbar, footer }) => [
        ...(navbar?.links ?? []),
        ...(navbar?.primary ?? []),
        ...(footer?.links ?? []).flatMap(({ items }) => items),
        ...(footer?.socials ?? []),
    ]);
    const links = [...globalLinks, ...ofFrames];
    const pictures = Object.entries(metatags).flatMap(([name, href]) => (isAddressTag(name) ? [href] : []));
    const hrefs = [
        logo?.light,
        logo?.dark,
        logo?.href,
        favicon?.light,
        favicon?.dark,
        fonts?.body?.source,
        fonts?.heading?.source,
        background?.image?.light,
        background?.image?.dark,
        ...pictures,
        ...links.map(({ href }) => href),
        ...(pageMenu?.options ?? []).flatMap((option) => (typeof option === "string" ? [] : [option.href])),
    ];
    return [...new Set(hrefs)].flatMap((href = ""): FoundWarning[] => {
        const { problem } = href === "" ? {} : resolveLink(href, { file: homeRoute, route: homeRoute }, targets);
        return problem === undefined ? [] : [{ kind: "link", setting: { value: href }, reason: problem }];
    });
}
