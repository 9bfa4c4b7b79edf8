import { asRecord, isRecord, listOf } from "../text/json-values.js";
import { iconOf, type WithIcon } from "./icon-of.js";
import { lightAndDark, type SettingValues } from "./setting-values.js";

export interface NavbarLink extends WithIcon {
    readonly label: string;
    readonly href: string;
    /** The author gave an icon and no text: the label is for screen readers, and for an icon that is not known. */
    readonly isIconAlone?: boolean;
    /** `primary` of the navbar, which readers see as a button. */
    readonly isButton?: boolean;
}

export interface Banner {
    /** Markdown. */
    readonly content: string;
    readonly dismissible: boolean;
    readonly type?: "warning" | "critical";
    readonly color?: { readonly light: string; readonly dark: string };
}

/** What stands around a page; a language may have its own. */
export interface FrameSettings {
    readonly navbarLinks: readonly NavbarLink[];
    readonly footerLinks?: readonly { readonly title: string; readonly items: readonly NavbarLink[] }[];
    readonly socials?: readonly NavbarLink[];
    readonly banner?: Banner;
}

/** Names of networks that are not their keys with a capital letter. */
const networks: Readonly<Record<string, string>> = {
    youtube: "YouTube",
    github: "GitHub",
    linkedin: "LinkedIn",
    "x-twitter": "X",
    "earth-americas": "Website",
};

/** Reads `navbar`, `footer` and `banner`: an entry that is not as it should be is left out and reported. */
export class FrameReader {
    readonly #values: SettingValues;

    constructor(values: SettingValues) {
        this.#values = values;
    }

    read(config: Readonly<Record<string, unknown>>): FrameSettings {
        return { ...this.ofLanguage(config), navbarLinks: this.#navbar(config["navbar"]) };
    }

    /** Only what the record has, so that the site's own settings show through. */
    ofLanguage(config: Readonly<Record<string, unknown>>): Partial<FrameSettings> {
        const footer = isRecord(config["footer"]) ? config["footer"] : undefined;
        const banner = this.#banner(config["banner"]);
        return {
            ...(isRecord(config["navbar"]) && { navbarLinks: this.#navbar(config["navbar"]) }),
            ...(footer !== undefined && {
                footerLinks: this.#footerLinks(footer["links"]),
                socials: socialsOf(footer["socials"]),
            }),
            ...(banner !== undefined && { banner }),
        };
    }

    #navbar(value: unknown): NavbarLink[] {
        if (!isRecord(value)) {
            return [];
        }
        const entries: unknown[] = Array.isArray(value["links"]) ? [...(value["links"] as unknown[])] : [];
        const primary = this.#links([value["primary"]], "navbar").map((link) => ({ ...link, isButton: true }));
        return [...this.#links(entries, "navbar"), ...primary];
    }

    #links(entries: readonly unknown[], at: string): NavbarLink[] {
        return entries.filter(isRecord).flatMap((entry) => {
            const href = this.#values.text(entry, "href", `${at}.href`) ?? this.#values.text(entry, "url", `${at}.url`);
            const type = this.#values.text(entry, "type", `${at}.type`);
            const text = this.#values.text(entry, "label", `${at}.label`)?.trim();
            const icons: WithIcon = { ...iconOfNetwork(type), ...iconOf(entry) };
            const network = type ?? icons.icon?.match(/^[\w-]+$/)?.[0];
            const label = text || (network && nameOfNetwork(network)) || (icons.icon && href);
            const isIconAlone = !text && type === undefined;
            return href === undefined || !label ? [] : [{ label, href, ...icons, ...(isIconAlone && { isIconAlone }) }];
        });
    }

    #footerLinks(value: unknown): NonNullable<FrameSettings["footerLinks"]> {
        return listOf(value)
            .filter(isRecord)
            .map((column) => ({
                title: this.#values.text(column, "header", "footer.links.header") ?? "",
                items: this.#links(listOf(column["items"]), "footer.links"),
            }));
    }

    #banner(value: unknown): Banner | undefined {
        const content = isRecord(value) ? this.#values.text(value, "content", "banner.content") : undefined;
        if (!isRecord(value) || content === undefined) {
            return undefined;
        }
        const { type, color } = value;
        const colors = isRecord(color) ? color : { light: color };
        const light = this.#values.color(colors, "light", "banner.color");
        const dark = this.#values.color(colors, "dark", "banner.color");
        const both = lightAndDark(light, dark);
        return {
            content,
            dismissible: value["dismissible"] === true,
            ...((type === "warning" || type === "critical") && { type }),
            ...(both && { color: both }),
        };
    }
}

function socialsOf(value: unknown): NavbarLink[] {
    return Object.entries(asRecord(value)).flatMap(([key, href]) =>
        typeof href === "string" ? [{ label: nameOfNetwork(key), href }] : [],
    );
}

function iconOfNetwork(type: string | undefined): WithIcon {
    return type === "github" || type === "discord" ? { icon: type, iconType: "brands" } : {};
}

function nameOfNetwork(key: string): string {
    const known = Object.hasOwn(networks, key) ? networks[key] : undefined;
    return known ?? key.replace(/(?:^|-)([a-z])/g, (part) => part.replace("-", " ").toUpperCase());
}
