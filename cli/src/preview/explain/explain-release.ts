import { isSameValue } from "@pulumi-static-export/contract";
import { type ExportChange, type FromTo } from "./explain-export.js";
import { declaresExport, findExportSection } from "./find-export-section.js";
import { exportedAgainFor } from "./link-source.js";
import { join, type Phrase, say } from "./phrase.js";
import { asRecord, asString, hasUnknown, isSecret } from "../log/property-value.js";
import { type ResourceChange, type ResourceSnapshot } from "../log/resource-change.js";

/** The effect on the pods of a release: `perhaps` if a preview cannot show it. */
export type ReleaseEffect = "install" | "roll" | "secret" | "perhaps" | "down" | "uninstall" | "settings" | "import";

export interface ReleaseChange {
    urn: string;
    /** The release's name in Helm: `namespace/name`. */
    name: string;
    kind: ResourceChange["kind"];
    effect: ReleaseEffect;
    version: FromTo;
    reasons: Phrase[];
}

/**
 * Explains what happens to the pods of a release. The preview shows an unknown link or chart version as removed;
 * neither is reported as a removal. Undefined if nothing happens.
 */
export function explainRelease(
    change: ResourceChange,
    exports: readonly ExportChange[],
    all: readonly ResourceChange[],
): ReleaseChange | undefined {
    const { urn, kind } = change;
    if (kind === "same" || kind === "read" || kind === "refresh" || kind === "finish-replacement") {
        return undefined;
    }
    const comesFromExport = declaresExport(all);
    const old = valuesOf(change.old?.inputs, comesFromExport);
    const news = valuesOf(change.new?.inputs, comesFromExport);
    const [effect, reasons] = explain(change, old, news, exports, all);
    return {
        urn,
        name: helmName(kind === "replace" ? change.old : (change.new ?? change.old), change.name),
        kind,
        effect,
        version: { from: shown(old.export["version"]), to: shown(news.export["version"]) },
        reasons,
    };
}

interface Values {
    /** The path of `staticExport` in the values. */
    place: string;
    /** Values outside of `staticExport`. */
    rest: Readonly<Record<string, unknown>>;
    export: Readonly<Record<string, unknown>>;
    isKnown: boolean;
}

function valuesOf(inputs: Record<string, unknown> | undefined, comesFromExport: boolean): Values {
    const values = inputs?.["values"];
    const { place, section, rest } = findExportSection(values, comesFromExport);
    return { place, rest, export: section, isKnown: !hasUnknown(values) && !isSecret(values) };
}

function explain(
    change: ResourceChange,
    old: Values,
    news: Values,
    exports: readonly ExportChange[],
    all: readonly ResourceChange[],
): [ReleaseEffect, Phrase[]] {
    const { kind } = change;
    if (kind === "create") {
        return ["install", [say`it is new`]];
    }
    if (kind === "import") {
        return ["import", [say`it exists, and Pulumi will manage it`]];
    }
    if (kind === "delete" || kind === "forget") {
        return ["uninstall", []];
    }
    if (kind === "replace") {
        return ["install", [replacement(change)]];
    }
    if (!old.isKnown || !news.isKnown) {
        return ["perhaps", [say`its values are known only when ${"pulumi up"} runs`]];
    }
    if (old.export["enabled"] === true && news.export["enabled"] !== true) {
        return ["down", [say`${`${old.place}.enabled`} is no longer true`]];
    }
    const reasons = valueReasons(old, news);
    const settingPaths = differingSettings(change, news);
    const settings = settingPaths.length === 0 ? [] : [changes("argument", settingPaths)];
    const exportedAgain = exportedAgainFor(change, exports, all);
    const linkWaits = isLink(old.export["bundleUrl"]) && news.export["bundleUrl"] === undefined;
    if (linkWaits && exportedAgain === undefined) {
        return ["down", [say`${`${old.place}.bundleUrl`} is removed, and no export provides a new one`, ...reasons]];
    }
    const linkReasons = linkWaits && exportedAgain === "yes" ? [say`it serves another bundle`] : [];
    if (linkReasons.length > 0 || rolls(old, news)) {
        return ["roll", [...linkReasons, ...reasons, ...settings]];
    }
    if (linkWaits && exportedAgain === "perhaps") {
        const link = say`its pods roll if its bundle changes; otherwise it only gets a new link`;
        return ["perhaps", [link, ...reasons, ...settings]];
    }
    const isRenewed = linkWaits || !isSameValue(old.export["bundleUrl"], news.export["bundleUrl"]);
    const renewal = isRenewed && reasons.length === 0 ? [say`its link is renewed`] : [];
    if (reasons.length > 0 || rendersAgain(settingPaths)) {
        return ["perhaps", [...renewal, ...reasons, ...settings]];
    }
    return [isRenewed ? "secret" : "settings", [...renewal, ...settings]];
}

/** The arguments that affect what Helm renders from the same values. Other arguments only control the upgrade. */
const renderingArguments: ReadonlySet<string> = new Set([
    ...["chart", "version", "repositoryOpts", "devel", "postrender", "resetValues", "reuseValues", "recreatePods"],
]);

function rendersAgain(settingPaths: readonly string[]): boolean {
    return settingPaths.some((path) => renderingArguments.has(path.split(".")[0] ?? ""));
}

/** Whether values change that are certainly part of the pod template, regardless of how the chart uses other values. */
function rolls(old: Values, news: Values): boolean {
    return ["version", "sha256", "enabled"].some((key) => !isSameValue(old.export[key], news.export[key]));
}

function valueReasons(old: Values, news: Values): Phrase[] {
    const { bundleUrl: oldUrl, ...oldExport } = old.export;
    const { bundleUrl: newUrl, ...newExport } = news.export;
    const paths = [
        ...differingPaths(oldExport, newExport).map((path) => `${news.place}.${path}`),
        ...differingPaths(old.rest, news.rest),
    ];
    if (isLink(oldUrl) && typeof oldUrl === "string" && typeof newUrl === "string" && oldUrl !== newUrl) {
        paths.unshift(`${news.place}.bundleUrl`);
    }
    return paths.length === 0 ? [] : [changes("value", paths)];
}

/** Arguments of the release itself, such as its chart. An unknown resolved version is not a change. */
function differingSettings({ old, new: state }: ResourceChange, news: Values): string[] {
    const { values: oldValues, version: oldVersion, ...before } = old?.inputs ?? {};
    const { values: newValues, version: newVersion, ...after } = state?.inputs ?? {};
    const paths = differingPaths(before, after);
    const isResolvedLater = newVersion === "" || newVersion === undefined || news.export["bundleUrl"] === undefined;
    if (!isSameValue(oldVersion, newVersion) && !isResolvedLater) {
        paths.unshift("version");
    }
    return paths;
}

const listedAtMost = 6;

function changes(what: string, paths: readonly string[]): Phrase {
    const names = paths.slice(0, listedAtMost).map((path) => say`${path}`);
    const rest = paths.length - names.length;
    const more: Phrase = rest > 0 ? [` and ${rest} more`] : [];
    const [noun, verb] = paths.length === 1 ? [what, "changes"] : [`${what}s`, "change"];
    return [`${noun} `, ...join(names, ", "), ...more, ` ${verb}`];
}

function replacement({ replacedBy }: ResourceChange): Phrase {
    return replacedBy.length === 0 ? say`Pulumi replaces it` : changes("argument", replacedBy);
}

/** The paths of leaves that differ; the order of an object's keys is ignored. */
function differingPaths(old: unknown, news: unknown, path = ""): string[] {
    if (isSameValue(old, news)) {
        return [];
    }
    const before = asRecord(old);
    const after = asRecord(news);
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    if (keys.length === 0 || isSecret(old) || isSecret(news)) {
        return [path];
    }
    return keys.flatMap((key) => differingPaths(before[key], after[key], path === "" ? key : `${path}.${key}`));
}

function isLink(value: unknown): boolean {
    return isSecret(value) || (asString(value) ?? "") !== "";
}

function helmName(state: ResourceSnapshot | undefined, name: string): string {
    const namespace = asString(state?.inputs["namespace"]);
    return [...(namespace ? [namespace] : []), asString(state?.inputs["name"]) || name].join("/");
}

function shown(value: unknown): string | undefined {
    return isSecret(value) ? "[secret]" : asString(value) || undefined;
}
