import { getOrMake } from "../text/get-or-make.js";
import { asRecord, isRecord, listOf } from "../text/json-values.js";

type Json = Record<string, unknown>;

/** The `docs.json` that says what a `mint.json` of an older site says. */
export function fromMintConfig(mint: Readonly<Json>): Json {
    const links = records(mint["topbarLinks"]).map((link) => ({ label: link["name"], href: link["url"] }));
    const button = mint["topbarCtaButton"];
    const primary = isRecord(button) ? { label: button["name"] ?? "GitHub", href: button["url"] } : undefined;
    const { navigation, tabs, anchors, versions, ...rest } = mint;
    const api = asRecord(mint["api"]);
    return {
        ...rest,
        navigation: navigationOf(navigation, records(tabs), records(anchors), versions, mint["primaryTab"]),
        navbar: { links, ...(primary !== undefined && { primary }) },
        footer: { socials: mint["footerSocials"] },
        api: { ...api, ...(mint["openapi"] !== undefined && { openapi: mint["openapi"] }) },
        appearance: isRecord(mint["modeToggle"])
            ? { default: mint["modeToggle"]["default"], strict: mint["modeToggle"]["isHidden"] }
            : undefined,
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
            color: isRecord(colors) ? colors["background"] : undefined,
            decoration: isRecord(background) ? background["style"] : undefined,
        },
        styling: { codeblocks: mode === "dark" ? "dark" : undefined },
    };
}

function withSource(font: unknown): Json {
    return isRecord(font) ? { ...font, source: font["url"] } : {};
}

function navigationOf(
    navigation: unknown,
    tabs: Json[],
    anchors: Json[],
    versions: unknown,
    primaryTab: unknown,
): Json {
    const groups = records(navigation);
    const names = Array.isArray(versions) ? versions.map(nameOfVersion).filter((name) => name !== undefined) : [];
    if (names.length > 1) {
        return {
            versions: names.map((version) => ({
                version,
                ...divide(
                    groups.filter((group) => group["version"] === undefined || group["version"] === version),
                    tabs,
                    anchors,
                    primaryTab,
                ),
            })),
        };
    }
    return divide(groups, tabs, anchors, primaryTab);
}

/** Groups belong to the tab, or else the anchor, whose address their pages begin with. */
function divide(groups: Json[], tabs: Json[], anchors: Json[], primaryTab: unknown): Json {
    const external = (entry: Json) => /^(?:https?:|mailto:)/i.test(textOf(entry["url"]));
    const divisions = [
        ...tabs.map((tab) => ["tab", tab] as const),
        ...anchors.map((item) => ["anchor", item] as const),
    ].filter(([, entry]) => !external(entry));
    const byDivision = new Map<Json, Json[]>();
    const others: Json[] = [];
    for (const group of groups) {
        const first = firstPage(group);
        const owner = divisions.find(([, entry]) => {
            const prefix = textOf(entry["url"]).replace(/^\/+|\/+$/g, "");
            return prefix !== "" && (first === prefix || first.startsWith(`${prefix}/`));
        })?.[1];
        if (owner === undefined) {
            others.push(group);
        } else {
            getOrMake(byDivision, owner, () => []).push(group);
        }
    }
    const links = anchors
        .filter((entry) => external(entry))
        .map((entry) => ({ anchor: entry["name"], href: entry["url"], icon: entry["icon"] }));
    const global = links.length === 0 ? {} : { global: { anchors: links } };
    const parts = divisions.filter(([, entry]) => byDivision.has(entry) || entry["openapi"] !== undefined);
    const tabLinks = tabs.filter(external).map((tab) => ({ tab: tab["name"], href: tab["url"] }));
    if (parts.length === 0 && tabLinks.length === 0) {
        return { groups: others, ...global };
    }
    const main = isRecord(primaryTab) ? textOf(primaryTab["name"]) : "";
    return {
        ...global,
        tabs: [
            { tab: main || "Documentation", groups: others },
            ...parts.map(([, entry]) => ({
                tab: entry["name"],
                icon: entry["icon"],
                groups: byDivision.get(entry) ?? [],
                ...(entry["openapi"] !== undefined && { openapi: entry["openapi"] }),
            })),
            ...tabLinks,
        ],
    };
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

function nameOfVersion(version: unknown): string | undefined {
    return typeof version === "string" ? version : isRecord(version) ? textOf(version["name"]) : undefined;
}

function records(value: unknown): Json[] {
    return Array.isArray(value) ? value.filter(isRecord) : [];
}

function textOf(value: unknown): string {
    return typeof value === "string" ? value : "";
}
