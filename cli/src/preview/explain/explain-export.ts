import {
    decideBundle,
    decideExportJob,
    type ExportDecision,
    type ExportEffect as DecidedEffect,
    type ExportValues,
    isExportJob,
} from "@pulumi-static-export/contract";
import { join, type Phrase, say } from "./phrase.js";
import { asNumber, asString, asStrings, hasUnknown, isSameShown, isSecret } from "../log/property-value.js";
import { type ResourceChange } from "../log/resource-change.js";

/** The effect on an export. Only `export` starts a job. `perhaps` depends on a secret input, which a log hides. */
export type ExportEffect = Exclude<DecidedEffect, "nothing"> | "perhaps" | "delete";

/** A value before and after; `undefined` if it is missing or the default. */
export interface FromTo {
    from: string | undefined;
    to: string | undefined;
}

export interface ExportChange {
    urn: string;
    name: string;
    kind: ResourceChange["kind"];
    effect: ExportEffect;
    domain: FromTo;
    version: FromTo;
    reasons: Phrase[];
}

/** Explains what the provider decides about an export, and why. Undefined if nothing happens. */
export function explainExport(change: ResourceChange, nowMs: number): ExportChange | undefined {
    const { urn, name, kind } = change;
    if (kind === "same" || kind === "read" || kind === "refresh" || kind === "finish-replacement") {
        return undefined;
    }
    // The provider compares with the outputs, which contain the inputs of the last successful change.
    const old = change.old?.outputs ?? {};
    const news = change.new?.inputs ?? {};
    const isGone = kind === "delete" || kind === "forget";
    const [effect, reasons] = isGone ? (["delete", []] as const) : explain(change, old, news, nowMs);
    const to = isGone ? {} : news;
    return {
        urn,
        name,
        kind,
        effect,
        domain: { from: shown(old["domain"]), to: shown(to["domain"]) },
        version: { from: shown(old["version"]), to: shown(to["version"]) },
        reasons: [...reasons],
    };
}

type Values = Record<string, unknown>;

function explain(change: ResourceChange, old: Values, news: Values, nowMs: number): [ExportEffect, Phrase[]] {
    const decide = (olds: Values | undefined, areSecretsSame = true): ExportDecision => {
        const isSame = (input: string, before: unknown, after: unknown): boolean =>
            isSameShown(before, after) ?? (change.listsChanges ? !isListed(change, input) : areSecretsSame);
        const state = olds && valuesOf(olds);
        return isExportJob(change)
            ? decideExportJob(state, valuesOf(news), isSame)
            : decideBundle(state, valuesOf(news), { nowMs, isSame });
    };
    const adoption = say`${"jobId"} names job ${shown(news["jobId"]) ?? ""}, whose bundle is used`;
    const because = ({ effect }: ExportDecision, ...reasons: Phrase[]): [ExportEffect, Phrase[]] =>
        // An update whose cause the log does not show is an export, the change that costs most.
        [effect === "nothing" ? "export" : effect, [...reasons, ...(effect === "adopt" ? [adoption] : [])]];

    if (change.kind === "create" || change.kind === "import") {
        const decision = decide(undefined);
        // A resource to create has old outputs only if a refresh found its export missing.
        const cause = change.old === undefined ? say`it is new` : say`the platform no longer has its last export`;
        return because(decision, ...(decision.effect === "adopt" ? [] : [cause]));
    }
    const [same, different] = [decide(old), decide(old, false)];
    if (change.kind === "replace") {
        const isOtherDomain = same.cause === "domain" || change.replacedBy.includes("domain");
        const cause = isOtherDomain
            ? say`the domain changes, so another site is exported`
            : say`its replacement was requested`;
        return because(decide(undefined), cause, ...inputReasons(same, old, news));
    }
    const mayHaveChanged = say`a secret input may have changed, which a preview does not show`;
    if (same.effect === "nothing") {
        const isSecret = different.effect !== "nothing";
        return because(
            different,
            isSecret ? mayHaveChanged : say`the engine plans an update, and the log does not say why`,
        );
    }
    const reasons = reasonsOf(same, old, news, nowMs);
    return same.effect === different.effect
        ? because(same, ...reasons)
        : ["perhaps", [mayHaveChanged, ["otherwise, ", ...join(reasons, " and ")]]];
}

/** Values of the wrong type are ignored, because a log may come from any program. */
function valuesOf(values: Values): ExportValues {
    return {
        ...values,
        expiresAt: asString(values["expiresAt"]),
        linkLifetimeSeconds: asNumber(values["linkLifetimeSeconds"]),
        clockSkewMs: asNumber(values["clockSkewMs"]),
        renewBeforeSeconds: asNumber(values["renewBeforeSeconds"]),
    };
}

function isListed({ changed }: ResourceChange, input: string): boolean {
    return changed.some((path) => path === input || path.startsWith(`${input}.`) || path.startsWith(`${input}[`));
}

function reasonsOf(decision: ExportDecision, old: Values, news: Values, nowMs: number): Phrase[] {
    switch (decision.cause) {
        case "pending":
            return [say`an earlier run started job ${shown(old["pendingJobId"]) ?? ""} and did not see its end`];
        case "lost":
            return [say`the last export job failed or was lost`];
        case "link":
            return [linkReason(old, nowMs)];
        default:
            return inputReasons(decision, old, news);
    }
}

/** Omits the domain, because changing it replaces the resource. */
function inputReasons({ changed }: ExportDecision, old: Values, news: Values): Phrase[] {
    return changed.map((input) => {
        if (hasUnknown(news[input])) {
            return say`${input} is known only when ${"pulumi up"} runs`;
        }
        return input === "paths" ? describePaths(old[input], news[input]) : say`${input} changes`;
    });
}

function linkReason(old: Values, nowMs: number): Phrase {
    const expiresAtMs = Date.parse(asString(old["expiresAt"]) ?? "");
    if (old["bundleUrl"] === undefined || Number.isNaN(expiresAtMs)) {
        return say`the bundle has no link yet`;
    }
    const at = `${new Date(expiresAtMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
    const isExpired = nowMs + (asNumber(old["clockSkewMs"]) ?? 0) >= expiresAtMs;
    return isExpired ? say`its link expired at ${at}` : say`its link expires at ${at}`;
}

function describePaths(old: unknown, news: unknown): Phrase {
    if (old === undefined || news === undefined) {
        return news === undefined
            ? say`${"paths"} is removed: every page is exported`
            : say`${"paths"} limits it to some pages`;
    }
    const before = new Set(asStrings(old));
    const after = new Set(asStrings(news));
    const added = [...after].filter((path) => !before.has(path)).length;
    const removed = [...before].filter((path) => !after.has(path)).length;
    const parts = [...(added > 0 ? [say`${added} added`] : []), ...(removed > 0 ? [say`${removed} removed`] : [])];
    return parts.length === 0 ? say`the order of ${"paths"} changes` : say`${"paths"} changes: ${join(parts, ", ")}`;
}

/** Returns the text that may be shown for a value. Secrets are never shown. */
function shown(value: unknown): string | undefined {
    if (isSecret(value)) {
        return "[secret]";
    }
    return hasUnknown(value) ? "[known later]" : asString(value);
}
