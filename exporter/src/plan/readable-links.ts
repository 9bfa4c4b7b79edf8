import { routeOfLink, type LinkTargets } from "../links/link-resolver.js";
import { filterLinks, type Navigation } from "../navigation/navigation.js";
import { type FrameSettings, type SiteSettings } from "../settings/site-settings.js";

/** A longer chain of redirects is taken for a circle. */
const maxRedirects = 5;

/** The page at which a link of the settings arrives, also over redirects. */
export function routeReached(href: string, targets: LinkTargets): string | undefined {
    let address: string | undefined = href;
    for (let left = maxRedirects; left >= 0 && address !== undefined; left -= 1) {
        const route = routeOfLink(address, targets);
        if (route !== undefined) {
            return route;
        }
        const [path = ""] = address.split(/[?#]/, 1);
        address = targets.redirects.find(path.replace(/^\/+|\/+$/g, ""));
    }
    return undefined;
}

/** The settings and the navigation without links that are not accepted. */
export function withReadableLinks(
    settings: SiteSettings,
    navigation: Navigation,
    isReadable: (href: string) => boolean,
): { settings: SiteSettings; navigation: Navigation } {
    const { languages } = settings;
    const readable: SiteSettings = {
        ...settings,
        ...readableFrame(settings, isReadable),
        ...(languages && {
            languages: Object.fromEntries(
                Object.entries(languages).map(([code, frame]) => [
                    code,
                    { ...frame, ...readableFrame(frame, isReadable) },
                ]),
            ),
        }),
    };
    return { settings: readable, navigation: filterLinks(navigation, isReadable) };
}

function readableFrame({ navbar, footer }: FrameSettings, isReadable: (href: string) => boolean): FrameSettings {
    const only = <T extends { readonly href: string }>(links: readonly T[] = []) =>
        links.filter(({ href }) => isReadable(href));
    return {
        ...(navbar && { navbar: { links: only(navbar.links), primary: only(navbar.primary) } }),
        ...(footer && {
            footer: {
                links: (footer.links ?? []).map(({ title, items }) => ({ title, items: only(items) })),
                socials: only(footer.socials),
            },
        }),
    };
}
