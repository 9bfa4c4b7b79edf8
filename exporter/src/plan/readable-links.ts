import { type FrameSettings, type SiteSettings } from "../read/settings/site-settings.js";

/** The settings with only those links around pages that are accepted. */
export function withReadableLinks(settings: SiteSettings, isReadable: (href: string) => boolean): SiteSettings {
    const ofLanguages = Object.entries(settings.languages ?? {}).map(
        ([code, frame]) => [code, readableFrame(frame, isReadable)] as const,
    );
    return { ...readableFrame(settings, isReadable), languages: Object.fromEntries(ofLanguages) };
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
                links: (footer.links ?? []).map(({ title, items }) => ({ title, items: only(items) })),
                socials: only(footer.socials),
            },
        }),
    };
}
