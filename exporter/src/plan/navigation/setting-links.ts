import { resolveLink, type LinkTargets } from "../links/link-resolver.js";
import { type SiteSettings } from "../../read/settings/site-settings.js";
import { isAddressTag } from "../../read/front-matter/metatags.js";
import { type NavLink } from "./navigation.js";
import { homeRoute } from "../../read/files/routes.js";
import { type FoundWarning } from "../../problems/warnings.js";

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
