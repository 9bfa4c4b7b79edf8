import { type SiteWarning } from "../../problems/warnings.js";
import { type ConfigFile, readConfigFile } from "../files/config-file.js";
import { type FoundFiles } from "../files/found-files.js";
import { asRecord, recordsOf, withoutUndefined } from "../../text/json-values.js";
import { settingsWithoutEffect, valueAt } from "./unsupported-settings.js";
import { fromMintConfig } from "./mint-config.js";
import { type OtherSettings } from "../builders/other-builders.js";
import { type Report } from "./setting-values.js";
import {
    apiDisplaySettings,
    frameSettings,
    type FrameSettings,
    type Setting,
    siteSettings,
    type SiteSettings,
    type SettingValues,
} from "./site-settings.js";
import { lineOfText } from "../../text/strings.js";

export interface DocsConfig extends Omit<ConfigFile, "value"> {
    readonly settings: SiteSettings;
    /** The navigation in the file; undefined if the navigation comes from the folders. */
    readonly navigation: unknown;
    readonly problems: readonly SiteWarning[];
}

const noConfig: ConfigFile = { file: "docs.json", value: {}, source: "", referenced: new Set() };

/**
 * Reads `docs.json`, an older site's `mint.json`, or the settings of another builder, in this order. Without any
 * settings, the navigation follows the folders.
 */
export function readDocsConfig(content: FoundFiles, others?: OtherSettings): DocsConfig {
    const own = readConfigFile(content);
    if (own === undefined && others !== undefined) {
        return readOthers(others);
    }
    const { file, source, referenced, value } = own ?? noConfig;
    const config = withApi(file === "mint.json" ? fromMintConfig(value) : value);
    const reasons: string[] = [];
    const settings = readSettings(config, (reason) => void reasons.push(reason));
    reasons.push(...settingsWithoutEffect(value, file));
    const problems = reasons.map((reason) => ({ kind: "settings" as const, file, line: undefined, reason }));
    return { file, settings, navigation: config["navigation"], source, referenced, problems };
}

function readOthers({ file, value, problems: reasons }: OtherSettings): DocsConfig {
    const settings = readSettings(value, () => undefined);
    const problems = reasons.map((reason): SiteWarning => ({ kind: "settings", file, line: undefined, reason }));
    return { ...noConfig, file, settings, navigation: value["navigation"], problems };
}

/** Some sites name their documents outside of `api`. */
function withApi(config: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const { openapi, api } = config;
    return openapi === undefined ? config : { ...config, api: { openapi, ...asRecord(api) } };
}

function readSettings(config: Readonly<Record<string, unknown>>, report: Report): SiteSettings {
    const languages = recordsOf(asRecord(config["navigation"])["languages"]).flatMap(
        ({ language, ...entry }): [string, FrameSettings][] => {
            const frame = valuesOf(frameSettings, entry, report);
            return typeof language === "string" && Object.keys(frame).length > 0 ? [[language, frame]] : [];
        },
    );
    const { thumbnail, metatags, ...settings } = valuesOf(siteSettings, config, report);
    return {
        ...settings,
        metatags: { ...(thumbnail !== undefined && { "og:image": thumbnail }), ...metatags },
        apiDisplay: valuesOf(apiDisplaySettings, config, report),
        ...(languages.length > 0 && { languages: Object.fromEntries(languages) }),
    };
}

function valuesOf<Settings extends Readonly<Record<string, Setting<unknown>>>>(
    settings: Settings,
    config: Readonly<Record<string, unknown>>,
    report: Report,
): SettingValues<Settings> {
    const values = Object.entries(settings).map(
        ([name, [path, read]]) => [name, read(valueAt(config, path), path, report)] as const,
    );
    return withoutUndefined(Object.fromEntries(values));
}

const namedValues = [
    /^there is no icon "([^"]+)"/,
    /^the font "([^"]+)" /,
    /\b(?:Open|Async)API document (\S+)/,
    /^the link (\S+) leads /,
    /^the option "([^"]+)" /,
    /^the setting "(?:[^"]*\.)?([^".]+)" /,
];
const namedValue = new RegExp(namedValues.map(({ source }) => source).join("|"));

/**
 * Adds the settings file to a warning, and the line if the warning names a value in this file. Cached parts of a site
 * contain their warnings without lines, because an edit of the settings may move the lines.
 */
export function findInSettings(warning: SiteWarning, { file, source }: DocsConfig): SiteWarning {
    if (warning.file !== "docs.json" || warning.line !== undefined) {
        return warning;
    }
    const value = namedValue.exec(warning.reason)?.find((text, group) => group > 0 && text !== undefined);
    const line =
        value === undefined ? undefined : (lineOfText(source, JSON.stringify(value)) ?? lineOfText(source, value));
    return { ...warning, file, line };
}
