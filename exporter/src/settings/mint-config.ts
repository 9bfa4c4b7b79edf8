import { getOrMake } from "../text/get-or-make.js";
import { asRecord, isRecord, listOf, recordsOf, textOf } from "../text/json-values.js";

type Json = Record<string, unknown>;

/** The `docs.json` that says what a `mint.json` of an older site says. */
export function fromMintConfig(mint: Readonly<Json>): Json {
    const links = recordsOf(mint["topbarLinks"]).map((link) => ({ label: link["name"], href: link["url"] }));
    const button = mint["topbarCtaButton"];
    const primary = isRecord(button) ? { label: button["name"] ?? "GitHub", href: button["url"] } : undefined;
    const { tabs, anchors, versions, ...rest } = mint;
    const api = asRecord(mint["api"]);
    return {
        ...rest,
        navigation: navigationOf(mint),
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

/** Groups belong to the tab, or else the anchor, whose address their pages begin with. */
function divide(groups: Json[], tabs: Json[], anchors: Json[], primaryTab: Json): Json {
    const external = (entry: Json) => /^(?:https?:|mailto:)/i.test(textOf(entry["url"]) ?? "");
    const divisions = [...tabs, ...anchors].filter((entry) => !external(entry));
    const byDivision = new Map<Json, Json[]>();
    const others: Json[] = [];
    for (const group of groups) {
        const first = firstPage(group);
        const owner = divisions.find((entry) => {
            const prefix = (textOf(entry["url"]) ?? "").replace(/^\/+|\/+$/g, "");
            return prefix !== "" && (first === prefix || first.startsWith(`${prefix}/`));
        });
        (owner === undefined ? others : getOrMake(byDivision, owner, () => [])).push(group);
    }
    const links = anchors
        .filter(external)
        .map((entry) => ({ anchor: entry["name"], href: entry["url"], icon: entry["icon"] }));
    const global = links.length === 0 ? {} : { global: { anchors: links } };
    const parts = divisions.filter((entry) => byDivision.has(entry) || entry["openapi"] !== undefined);
    const tabLinks = tabs.filter(external).map((tab) => ({ tab: tab["name"], href: tab["url"] }));
    if (parts.length === 0 && tabLinks.length === 0) {
        return { groups: others, ...global };
    }
    return {
        ...global,
        tabs: [
            { tab: textOf(primaryTab["name"]) ?? "Documentation", groups: others },
            ...parts.map((entry) => ({
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
