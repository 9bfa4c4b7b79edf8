import { effectRules, faultRules, faultTargets, isAllowed, operationsOf, signature } from "./fault-rules.js";
import { type Fault, type FaultEffect } from "./fault.js";

/** An invalid `--fault` switch; the message lists what is allowed. */
export class FaultSpecError extends Error {
    override readonly name = "FaultSpecError";
}

/**
 * Reads one fault switch, `operation:setting[=value],…`, such as `start:status=503,times=2,retry-after=1`.
 *
 * @throws FaultSpecError
 */
export function readFault(spec: string): Fault {
    try {
        return readFaultOf(spec);
    } catch (error) {
        throw error instanceof FaultSpecError ? new FaultSpecError(`Fault "${spec}": ${error.message}`) : error;
    }
}

function readFaultOf(spec: string): Fault {
    const [target, text = ""] = splitOnce(spec, ":");
    const operations = operationsOf(target);
    if (operations.length === 0) {
        throw new FaultSpecError(`"${target}" is not an operation. Allowed: ${faultTargets.join(", ")}.`);
    }
    const allowed = Object.keys(faultRules).filter((name) => isAllowed(name, operations));
    const settings = readSettings(text, target, allowed);
    const effect = readEffect(settings);
    const delay = settings.get("delay");
    if (effect === undefined && delay === undefined) {
        throw new FaultSpecError(`it names no effect. Allowed: ${allowed.map(signature).join(", ")}.`);
    }
    return {
        spec,
        operations,
        ...(effect === undefined ? {} : { effect }),
        delayMs: delay === undefined ? 0 : readDurationMs(delay),
        after: readCount(settings, "after", 0) ?? 0,
        times: readCount(settings, "times", 1) ?? Infinity,
    };
}

type Settings = ReadonlyMap<string, string>;

function readSettings(text: string, target: string, allowed: readonly string[]): Settings {
    const settings = new Map<string, string>();
    for (const setting of text === "" ? [] : text.split(",")) {
        const [name, value] = splitOnce(setting.trim(), "=");
        if (!allowed.includes(name)) {
            const list = allowed.map(signature).join(", ");
            throw new FaultSpecError(`"${name}" is not a fault of ${target}. Allowed: ${list}.`);
        }
        if (faultRules[name]?.value === undefined && value !== undefined) {
            throw new FaultSpecError(`${name} takes no value.`);
        }
        if (faultRules[name]?.value !== undefined && !value) {
            throw new FaultSpecError(`${name} needs a value: ${signature(name)}.`);
        }
        if (settings.has(name)) {
            throw new FaultSpecError(`${name} is given twice.`);
        }
        settings.set(name, value ?? "");
    }
    return settings;
}

function readEffect(settings: Settings): FaultEffect | undefined {
    const kinds = (Object.keys(effectRules) as FaultEffect["kind"][]).filter((kind) => settings.has(kind));
    if (kinds.length > 1) {
        throw new FaultSpecError(`${kinds.join(" and ")} exclude each other: give two faults, with after and times.`);
    }
    const [kind] = kinds;
    const orphan = ["retry-after", "retry-after-date", "html"].find((name) => settings.has(name));
    if (kind !== "status" && orphan !== undefined) {
        throw new FaultSpecError(`${orphan} needs a status as well.`);
    }
    if (kind === "status") {
        return readStatusEffect(settings);
    }
    if (kind === "reset-after") {
        return { kind, bytes: readCount(settings, kind, 0) ?? 0 };
    }
    if (kind === "fail") {
        return { kind, reason: settings.get(kind) ?? "" };
    }
    return kind === undefined ? undefined : { kind };
}

function readStatusEffect(settings: Settings): FaultEffect {
    const status = readCount(settings, "status", 400) ?? 0;
    if (status > 599) {
        throw new FaultSpecError(`status must be from 400 to 599, got "${status}".`);
    }
    const seconds = readCount(settings, "retry-after", 0);
    const dateSeconds = readCount(settings, "retry-after-date", 0);
    if (seconds !== undefined && dateSeconds !== undefined) {
        throw new FaultSpecError("retry-after and retry-after-date exclude each other.");
    }
    const retryAfterSeconds = seconds ?? dateSeconds;
    return {
        kind: "status",
        status,
        html: settings.has("html"),
        ...(retryAfterSeconds === undefined
            ? {}
            : { retryAfter: { seconds: retryAfterSeconds, asDate: dateSeconds !== undefined } }),
    };
}

function readCount(settings: Settings, name: string, minimum: number): number | undefined {
    const text = settings.get(name);
    if (text === undefined) {
        return undefined;
    }
    if (!/^\d{1,9}$/.test(text) || Number(text) < minimum) {
        throw new FaultSpecError(`${name} must be a whole number of at least ${minimum}, got "${text}".`);
    }
    return Number(text);
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function readDurationMs(text: string): number {
    const [, amount, unit] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$/.exec(text) ?? [];
    const durationMs = Number(amount) * (unitMs[unit ?? ""] ?? NaN);
    // A longer delay would overflow the timer, which then fires immediately.
    if (!(durationMs <= 24 * 3_600_000)) {
        throw new FaultSpecError(`delay must be a duration such as 500ms, 2s or 1m, of at most 24h, got "${text}".`);
    }
    return durationMs;
}

function splitOnce(text: string, separator: string): [string, string?] {
    const at = text.indexOf(separator);
    return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
