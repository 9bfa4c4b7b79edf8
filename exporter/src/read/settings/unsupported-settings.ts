import { isRecord } from "../../text/json-values.js";
import { nearestName } from "../../text/nearest-name.js";
import { type Report } from "./setting-values.js";
import { apiDisplaySettings, type Setting, siteSettings } from "./site-settings.js";

/** Unsupported settings that readers would miss, with the replacement for each. */
export const unsupportedSettings: ReadonlyMap<string, string> = new Map([
    ["styling.codeblocks.languages", "code in custom languages is not highlighted"],
    ["styling.latex", "formulas are always shown"],
    ["thumbnails.appearance", "previews of links show thumbnails.background unchanged"],
    ["thumbnails.fonts", "previews of links show thumbnails.background without the page's title"],
    ["interaction.drilldown", "a click on a group only opens or closes it"],
    ["api.playground.proxy", "the browser sends requests to the API itself"],
    ["api.params.post", "fields have only the labels in x-mint"],
    ["api.mdx.auth", "pages of operations without a document show only the method and the address"],
    ["markdown.schema", "Markdown copies of API pages contain their part of the document"],
    ["seo.organization", "pages have no structured data"],
    ["seo.trailingSlash", "addresses have no trailing slash"],
    ["layout", "pages have the theme's layout"],
    ["topbar", "the bar above pages keeps the theme's style"],
    ["rounded", "corners keep the theme's style"],
]);

/** Settings that other code reads, or that are deliberately ignored without a warning. */
const otherSettings = "$ref $schema theme navigation openapi api.examples.prefill".split(" ");

/** The names of all settings that are read, such as `colors.light`. */
export const settingsThatAreRead: readonly string[] = Object.values<Setting<unknown>>({
    ...siteSettings,
    ...apiDisplaySettings,
}).flatMap(([path, { keys }]) => keys?.map((key) => `${path}.${key}`) ?? [path]);

/** The settings of `docs.json` that an export reads or deliberately ignores, including everything inside them. */
const knownSettings: readonly string[] = [...settingsThatAreRead, ...otherSettings, ...unsupportedSettings.keys()];

/** The known settings and the objects that contain them, such as `colors` of `colors.light`. */
const namesToSuggest: ReadonlySet<string> = new Set(
    knownSettings.flatMap((path) => {
        const keys = path.split(".");
        return keys.map((_, index) => keys.slice(0, index + 1).join("."));
    }),
);

/** The value at a path such as `api.params.expanded`. */
export function valueAt(config: Readonly<Record<string, unknown>>, path: string): unknown {
    return path.split(".").reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), config);
}

/** Reports settings without an effect. */
export function reportWithoutEffect(config: Readonly<Record<string, unknown>>, file: string, report: Report): void {
    for (const [path, instead] of unsupportedSettings) {
        if (isSet(path, valueAt(config, path))) {
            report(path, `the setting "${path}" is not supported: ${instead}`);
        }
    }
    for (const path of file === "docs.json" ? unknownPaths(config, "") : []) {
        const similar = nearestName(path, namesToSuggest);
        const advice = similar === undefined ? "correct its name, or remove it" : `did you mean "${similar}"?`;
        report(path, `the setting "${path}" is not known: ${advice}`);
    }
}

/** Whether a setting asks for something that exports do not do anyway. */
function isSet(path: string, value: unknown): boolean {
    return value !== undefined && value !== null && value !== (path === "markdown.schema");
}

function unknownPaths(record: Readonly<Record<string, unknown>>, above: string): string[] {
    return Object.entries(record).flatMap(([key, value]) => {
        const path = above + key;
        if (knownSettings.includes(path)) {
            return [];
        }
        const isAbove = knownSettings.some((known) => known.startsWith(`${path}.`));
        return isAbove ? (isRecord(value) ? unknownPaths(value, `${path}.`) : []) : [path];
    });
}
