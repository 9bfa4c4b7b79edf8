import { resolveLink, type LinkTargets } from "../render/link-resolver.js";
import { type SiteSettings } from "../read/docs-config.js";
import { type NavLink } from "../read/navigation.js";
import { homeRoute } from "../read/routes.js";
import { type SiteWarning } from "../warnings.js";

/** Every page shows these pictures and links, so one that leads nowhere is told once for all of them. */
export function brokenSettingLinks(
    { logo, favicon, image, navbarLinks, footerLinks = [], socials = [] }: SiteSettings,
    globalLinks: readonly NavLink[],
    targets: LinkTargets,
): SiteWarning[] {
    const links = [...globalLinks, ...navbarLinks, ...footerLinks.flatMap(({ items }) => items), ...socials];
    const hrefs = [logo?.light, logo?.dark, logo?.href, favicon, image, ...links.map(({ href }) => href)];
    return [...new Set(hrefs)].flatMap((href): SiteWarning[] => {
        const { problem } = href === undefined ? {} : resolveLink(href, { file: homeRoute, route: homeRoute }, targets);
        return problem === undefined ? [] : [{ kind: "link", file: "docs.json", line: undefined, reason: problem }];
    });
}
