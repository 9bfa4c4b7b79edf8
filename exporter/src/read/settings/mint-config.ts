import { trimSlashes } from "@pulumi-static-export/contract";
import { asRecord, isRecord, listOf, recordsOf, textOf } from "../../text/json-values.js";

type Json = Record<string, unknown>;

/** Converts an older site's `mint.json` to a `docs.json`. */
export function fromMintConfig(mint: Readonly<Json>): Json {
    const links = recordsOf(mint["topbarLinks"]).map(({ name, url }) => ({ label: name, href: url }));
    const [primary] = recordsOf([mint["topbarCtaButton"]]).map(({ name = "GitHub", url }) => ({
        label: name,
        href: url,
    }));
    const { default: choice, isHidden } = asRecord(mint["modeToggle"]);
    return {
        ...mint,
        navigation: navigationOf(mint),
        navbar: { links, primary },
        footer: { socials: mint["footerSocials"] },
        integrations: { ...asRecord(mint["analytics"]), ...asRecord(mint["integrations"]) },
        appearance: { default: choice, strict: isHidden },
        ...looksOf(mint),
    };
}

function looksOf({ font, background, backgroundImage, colors, codeBlock }: Readonly<Json>): Json {
    const { headings, ...fonts } = asRecord(font);
    const { mode } = asRecord(codeBlock);
    return {
        fonts: { ...withSource(fonts), heading: withSource(headings), body: withSource(fonts["body"]) },
        background: {
            image: backgroundImage,
            color: asRecord(colors)["background"],
            decoration: asRecord(background)["style"],
        },
        styling: { codeblocks: mode === "dark" ? "dark" : undefined },
    };
}

function withSource(font: unknown): Json {
    return isRecord(font) ? { ...font, source: font["url"] } : {};
}

function navigationOf({ navigation, tabs, anchors, versions, primaryTab }: Readonly<Json>): Json {
    const groups = recordsOf(navigation);
    const names = listOf(versions).flatMap((version) => textOf(isRecord(version) ? version["name"] : version) ?? []);
    const divided = (some: Json[]) => divide(some, recordsOf(tabs), recordsOf(anchors), asRecord(primaryTab));
    if (names.length < 2) {
        return divided(groups);
    }
    const groupsOf = (name: string) => groups.filter(({ version }) => version === undefined || version === name);
    return { versions: names.map((version) => ({ version, ...divided(groupsOf(version)) })) };
}

/**
 * A group belongs to the tab, or else to the anchor, whose address is a prefix of the addresses of the group's pages.
 */
function divide(groups: Json[], tabs: Json[], anchors: Json[], primaryTab: Json): Json {
    const divisions = [...tabs, ...anchors].filter((entry) => !isExternal(entry));
    const owners = groups.map((group) => divisions.find((entry) => isBelow(firstPage(group), entry)));
    const groupsOf = (entry: Json | undefined) => groups.filter((_, at) => owners[at] === entry);
    const anchorLinks = anchors.filter(isExternal).map(({ name, url, icon }) => ({ anchor: name, href: url, icon }));
    const global = { anchors: anchorLinks };
    const parts = divisions.filter((entry) => owners.includes(entry) || entry["openapi"] !== undefined);
    const tabLinks = tabs.filter(isExternal).map(({ name, url }) => ({ tab: name, href: url }));
    if (parts.length === 0 && tabLinks.length === 0) {
        return { groups, global };
    }
    const first = { tab: textOf(primaryTab["name"]) ?? "Documentation", groups: groupsOf(undefined) };
    const others = parts.map((entry) => {
        const { name, icon, openapi } = entry;
        return { tab: name, icon, openapi, groups: groupsOf(entry) };
    });
    return { global, tabs: [first, ...others, ...tabLinks] };
}

function isExternal({ url }: Json): boolean {
    return /^(?:https?:|mailto:)/i.test(textOf(url) ?? "");
}

function isBelow(page: string, { url }: Json): boolean {
    const folder = trimSlashes(textOf(url) ?? "");
    return folder !== "" && (page === folder || page.startsWith(`${folder}/`));
}

function firstPage(group: Json): string {
    for (const page of listOf(group["pages"])) {
        const found = typeof page === "string" ? page.replace(/^\/+/, "") : isRecord(page) ? firstPage(page) : "";
        if (found !== "") {
            return found;
        }
    }
    return "";
}
