import { join, type Phrase, say } from "./phrase.js";
import { asNumber, asString, asStrings, hasSecret, hasUnknown, isSameValue, isSecret } from "../log/property-value.js";
import { type ResourceChange } from "../log/resource-change.js";

/** The effect on an export. Only `export` starts a job. */
export type ExportEffect = "export" | "adopt" | "resume" | "renew" | "delete";

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

/** Explains what happens to an export and why, by the rules of the provider's diff. Undefined if nothing happens. */
export function explainExport(change: ResourceChange, nowMs: number): ExportChange | undefined {
    const { urn, name, kind } = change;
    if (kind === "same" || kind === "read" || kind === "refresh" || kind === "finish-replacement") {
        return undefined;
    }
    const old = { ...change.old?.inputs, ...change.old?.outputs };
    const inputs = change.new?.inputs ?? {};
    const isGone = kind === "delete" || kind === "forget";
    const [effect, reasons] = isGone ? (["delete", []] as const) : explain(change, old, inputs, nowMs);
    const to = isGone ? {} : inputs;
    return {
        urn,
        name,
        kind,
        effect,
        domain: { from: shown(change.old?.inputs["domain"]), to: shown(to["domain"]) },
        version: { from: shown(change.old?.inputs["version"]), to: shown(to["version"]) },
        reasons: [...reasons],
    };
}

type Values = Record<string, unknown>;

function explain(change: ResourceChange, old: Values, news: Values, nowMs: number): [ExportEffect, Phrase[]] {
    const jobId = shown(news["jobId"]);
    if (change.kind === "create" || change.kind === "import") {
        // A resource to create has old outputs only if a refresh found its export missing.
        const why = change.old === undefined ? say`it is new` : say`the platform no longer has its last export`;
        return jobId === undefined ? ["export", [why]] : ["adopt", [adopts(jobId)]];
    }
    if (change.kind === "replace") {
        const reasons = [...replacementReasons(change, old, news)];
        return jobId === undefined ? ["export", reasons] : ["adopt", [...reasons, adopts(jobId)]];
    }
    const inputs = inputReasons(old, news);
    if (jobId !== undefined && (inputs.length > 0 || jobId !== (old["pendingJobId"] ?? old["jobId"]))) {
        return ["adopt", [...inputs, adopts(jobId)]];
    }
    if (inputs.length > 0) {
        return ["export", inputs];
    }
    const pendingJobId = asString(old["pendingJobId"]);
    if (pendingJobId !== undefined) {
        return ["resume", [say`an earlier run started job ${pendingJobId} and did not see its end`]];
    }
    if (old["jobId"] === undefined) {
        return ["export", [say`the last export job failed or was lost`]];
    }
    const link = linkReason(old, news, nowMs);
    return link === undefined ? ["export", [unexplained(old, news)]] : ["renew", [link]];
}

function adopts(jobId: string): Phrase {
    return say`${"jobId"} names job ${jobId}, whose bundle is used`;
}

function replacementReasons({ replacedBy, old, new: state }: ResourceChange, olds: Values, news: Values): Phrase[] {
    const before = shown(olds["domain"]);
    const after = shown(news["domain"]);
    const reasons = inputReasons(olds, news);
    if (replacedBy.includes("domain") || before !== after) {
        return [say`the domain changes, so another site is exported`, ...reasons];
    }
    return old !== undefined && state !== undefined ? [say`its replacement was requested`, ...reasons] : reasons;
}

/** Explains why the inputs cause a new export. Omits the domain, because changing it replaces the resource. */
function inputReasons(old: Values, news: Values): Phrase[] {
    return ["version", "paths", "triggers"].flatMap((input) => {
        if (hasUnknown(news[input])) {
            return [say`${input} is known only when ${"pulumi up"} runs`];
        }
        if (isSameValue(old[input], news[input])) {
            return [];
        }
        return [input === "paths" ? describePaths(old[input], news[input]) : say`${input} changes`];
    });
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

/**
 * Explains why the link is renewed. The provider's rule uses the platform's clock, and never applies if a mirror serves
 * the site.
 */
function linkReason(old: Values, news: Values, nowMs: number): Phrase | undefined {
    if (news["renewLink"] === false) {
        return undefined;
    }
    if (old["bundleUrl"] === undefined) {
        return say`the bundle has no link yet`;
    }
    const expiresAt = asString(old["expiresAt"]);
    const expiresAtMs = expiresAt === undefined ? NaN : Date.parse(expiresAt);
    const renewBeforeSeconds = asNumber(news["renewBeforeSeconds"]) ?? 0;
    const platformNowMs = nowMs + (asNumber(old["clockSkewMs"]) ?? 0);
    if (expiresAt === undefined || !(platformNowMs >= expiresAtMs - renewBeforeSeconds * 1000)) {
        return undefined;
    }
    const isExpired = platformNowMs >= expiresAtMs;
    const at = `${new Date(expiresAtMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
    return isExpired ? say`its link expired at ${at}` : say`its link expires at ${at}`;
}

function unexplained(old: Values, news: Values): Phrase {
    return hasSecret(old["triggers"]) || hasSecret(news["triggers"])
        ? say`a secret input may have changed, which a preview does not show`
        : say`the engine plans an update, and the log does not say why`;
}

/** Returns the text that may be shown for a value. Secrets are never shown. */
function shown(value: unknown): string | undefined {
    if (isSecret(value)) {
        return "[secret]";
    }
    return hasUnknown(value) ? "[known later]" : asString(value);
}
