import { resolveLink, type LinkTargets } from "../links/link-resolver.js";
import { type SiteSettings } from "../settings/docs-config.js";
import { isAddressTag } from "../front-matter/metatags.js";
import { type NavLink } from "./navigation.js";
import { homeRoute } from "../files/routes.js";
import { type SiteWarning } from "../problems/warnings.js";

/** Every page shows these pictures and links, so a broken one is reported once for all of them. */
export function brokenSettingLinks(
    { logo, favicon, looks, metatags = {}, languages = {}, ...site }: SiteSettings,
    globalLinks: readonly NavLink[],
    targets: LinkTargets,
): SiteWarning[] {
    const ofFrames = [site, ...Object.values(languages)].flatMap(({ navbarLinks, footerLinks, socials }) => [
        ...(navbarLinks ?? []),
        ...(footerLinks ?? []).flatMap(({ items }) => items),
        ...(socials ?? []),
    ]);
    const links = [...globalLinks, ...ofFrames];
    const pictures = Object.entries(metatags).flatMap(([name, href]) => (isAddressTag(name) ? [href] : []));
    const hrefs = [
        logo?.light,
        logo?.dark,
        logo?.href,
        favicon?.light,
        favicon?.dark,
        looks?.bodyFont?.source,
        looks?.headingFont?.source,
        looks?.backgroundImage?.light,
        looks?.backgroundImage?.dark,
        ...pictures,
        ...links.map(({ href }) => href),
    ];
    return [...new Set(hrefs)].flatMap((href): SiteWarning[] => {
        const { problem } = href === undefined ? {} : resolveLink(href, { file: homeRoute, route: homeRoute }, targets);
        return problem === undefined ? [] : [{ kind: "link", file: "docs.json", line: undefined, reason: problem }];
    });
}
