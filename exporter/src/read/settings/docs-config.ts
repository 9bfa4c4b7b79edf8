import { type FoundWarning, type SettingPlace, type SourcePlace } from "../../problems/warning-log.js";
import { type ConfigFile, readConfigFile } from "../files/config-file.js";
import { type FoundFiles } from "../files/found-files.js";
import { asRecord, listOf, withoutUndefined } from "../../text/json-values.js";
import { reportWithoutEffect, valueAt } from "./unsupported-settings.js";
import { fromMintConfig } from "./mint-config.js";
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
import { SettingsPlaces } from "./settings-places.js";

export interface DocsConfig extends Omit<ConfigFile, "value"> {
    readonly settings: SiteSettings;
    /** The navigation in the file; undefined if the navigation comes from the folders. */
    readonly navigation: unknown;
    readonly problems: readonly FoundWarning[];
    /** Whether the site has a settings file. */
    readonly isFound: boolean;
    /** Finds a setting in the file that contains it. */
    readonly placeOf: (setting: SettingPlace) => SourcePlace;
}

const noConfig: ConfigFile = { file: "docs.json", value: {}, sources: new Map() };

/** Reads `docs.json`, or an older site's `mint.json`. Without settings, the navigation follows the folders. */
export function readDocsConfig(content: FoundFiles): DocsConfig {
    const own = readConfigFile(content);
    const { value, ...found } = own ?? noConfig;
    const config = withApi(found.file === "mint.json" ? fromMintConfig(value) : value);
    const problems: FoundWarning[] = [];
    const report: Report = (path, reason) => void problems.push({ kind: "settings", setting: { path }, reason });
    const settings = readSettings(config, report);
    reportWithoutEffect(value, found.file, report);
    const places = new SettingsPlaces({ ...found, value });
    return {
        ...found,
        settings,
        navigation: config["navigation"],
        problems,
        isFound: own !== undefined,
        placeOf: (setting) => places.of(setting),
    };
}

/** Some sites name their documents outside of `api`. */
function withApi(config: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const { openapi, api } = config;
    return openapi === undefined ? config : { ...config, api: { openapi, ...asRecord(api) } };
}

function readSettings(config: Readonly<Record<string, unknown>>, report: Report): SiteSettings {
    const languages = listOf(asRecord(config["navigation"])["languages"]).flatMap(
        (entry, index): [string, FrameSettings][] => {
            const { language } = asRecord(entry);
            const reportInside: Report = (path, reason) => report(`navigation.languages.${index}.${path}`, reason);
            const frame = valuesOf(frameSettings, asRecord(entry), reportInside);
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
