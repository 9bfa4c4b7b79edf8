import { asRecord, recordsOf } from "../../text/json-values.js";
import { iconOf, type WithIcon, color, fields, is, lightAndDark, oneOf, type Report, text } from "./setting-values.js";

export interface NavbarLink extends WithIcon {
    readonly label: string;
    readonly href: string;
    /** Whether the link shows only its icon. An icon's label is for screen readers, and replaces an unknown icon. */
    readonly isIconAlone?: boolean;
    /** `primary` of the navbar, shown as a button. */
    readonly isButton?: boolean;
}

/** Names of networks that differ from their keys by more than capitalisation. */
const networks: Readonly<Record<string, string>> = {
    youtube: "YouTube",
    github: "GitHub",
    linkedin: "LinkedIn",
    "x-twitter": "X",
    "earth-americas": "Website",
};

export const banner = fields({
    /** Markdown. */
    content: text,
    type: oneOf("warning", "critical"),
    color: lightAndDark(color),
    dismissible: is(true),
});

export const navbar = fields({
    links: linksOf,
    primary: (value, at, report) => linksOf([value], at, report).map((link) => ({ ...link, isButton: true })),
});

const columns = (value: unknown, at: string, report: Report) =>
    recordsOf(value).map(({ header, items }) => ({
        title: text(header, `${at}.header`, report) ?? "",
        items: linksOf(items, at, report),
    }));

const socials = (value: unknown): NavbarLink[] =>
    Object.entries(asRecord(value)).flatMap(([key, href]) =>
        typeof href === "string" ? [{ label: nameOfNetwork(key), href }] : [],
    );

export const footer = fields({ links: columns, socials });

/** Invalid entries are reported and skipped. */
function linksOf(entries: unknown, at: string, report: Report): NavbarLink[] {
    return recordsOf(entries).flatMap((entry) => {
        const href = text(entry["href"], `${at}.href`, report) ?? text(entry["url"], `${at}.url`, report);
        const type = text(entry["type"], `${at}.type`, report);
        const shown = text(entry["label"], `${at}.label`, report)?.trim();
        const icons: WithIcon = { ...iconOfNetwork(type), ...iconOf(entry) };
        const network = type ?? icons.icon?.match(/^[\w-]+$/)?.[0];
        const label = shown || (network && nameOfNetwork(network)) || (icons.icon && href);
        const isIconAlone = !shown && type === undefined;
        return href === undefined || !label ? [] : [{ label, href, ...icons, ...(isIconAlone && { isIconAlone }) }];
    });
}

function iconOfNetwork(type: string | undefined): WithIcon {
    return type === "github" || type === "discord" ? { icon: type, iconType: "brands" } : {};
}

function nameOfNetwork(key: string): string {
    const known = Object.hasOwn(networks, key) ? networks[key] : undefined;
    return known ?? key.replace(/(?:^|-)([a-z])/g, (part) => part.replace("-", " ").toUpperCase());
}
