import { faultOperations, type FaultEffect, type FaultOperation } from "./fault.js";

const httpOperations = faultOperations.filter((operation) => operation !== "export" && operation !== "publish");
const jsonOperations = httpOperations.filter((operation) => operation !== "download");

/** Names for several operations. */
const operationGroups = new Map<string, readonly FaultOperation[]>([
    ["agent", ["agent-start", "agent-get", "agent-message"]],
    ["any", httpOperations],
]);

interface FaultRule {
    /** The placeholder for the value after `=`; undefined for a setting without a value. */
    value?: string;
    on: readonly FaultOperation[];
    help: string;
}

export const effectRules = {
    status: { value: "400-599", on: httpOperations, help: "answer with this status; the work is not done" },
    reset: { on: httpOperations, help: "cut the connection before anything is done or answered" },
    ambiguous: {
        on: ["start", "bundle", "agent-start", "agent-message", "update"],
        help: "do the work, then cut the connection before the answer",
    },
    "reset-after": { value: "BYTES", on: httpOperations, help: "cut the connection after so many bytes of the body" },
    truncate: { on: httpOperations, help: "send half of the body as if it were all" },
    "unknown-status": { on: ["get", "agent-get", "update-get"], help: "report a job status that no client knows" },
    "progress-back": { on: ["get"], help: "report the job as running, with half of its progress" },
    vanish: {
        on: ["get", "bundle", "agent-get", "agent-message", "update-get"],
        help: "answer 404 as if there were no such job",
    },
    "expired-link": { on: ["bundle"], help: "return a link that has already expired" },
    fail: { value: "REASON", on: ["export", "publish"], help: "end the job as failed, for this reason (no commas)" },
} satisfies Record<FaultEffect["kind"], FaultRule>;

const modifierRules = {
    delay: { value: "DURATION", on: faultOperations, help: "wait first: 500ms, 2s, 1m" },
    times: { value: "COUNT", on: faultOperations, help: "hit this many requests, then no more (default: all)" },
    after: { value: "COUNT", on: faultOperations, help: "let this many requests pass first (default: none)" },
    "retry-after": { value: "SECONDS", on: httpOperations, help: "with status: send Retry-After in seconds" },
    "retry-after-date": { value: "SECONDS", on: httpOperations, help: "with status: the same as an HTTP date" },
    html: { on: httpOperations, help: "with status: an HTML page for a body, as proxies send" },
} satisfies Record<string, FaultRule>;

/** All settings of a fault. */
export const faultRules: Readonly<Record<string, FaultRule>> = { ...effectRules, ...modifierRules };

export const faultTargets = [...faultOperations, ...operationGroups.keys()];

/** The operations of a target; empty if the target is unknown. */
export function operationsOf(target: string): readonly FaultOperation[] {
    return operationGroups.get(target) ?? faultOperations.filter((operation) => operation === target);
}

export function isAllowed(setting: string, operations: readonly FaultOperation[]): boolean {
    return operations.every((operation) => faultRules[setting]?.on.includes(operation));
}

/** A setting in the syntax of the switch, such as `times=COUNT`. */
export function signature(setting: string): string {
    const value = faultRules[setting]?.value;
    return value === undefined ? setting : `${setting}=${value}`;
}

/** The reference of the fault switches, for help texts. */
export function faultHelp(): string {
    const list = (rules: Readonly<Record<string, FaultRule>>): string =>
        Object.entries(rules)
            .map(([name, { on, help }]) => {
                const scope = on.length < jsonOperations.length ? ` (${on.join(", ")})` : "";
                return `  ${signature(name).padEnd(26)}${help}${scope}`;
            })
            .join("\n");
    return `Faults (--fault OPERATION:SETTING[=VALUE],…):
Operations: ${faultOperations.join(", ")};
agent means all agent operations, any means all requests. export is the running of an export job, publish that of an update,
and the others are requests that pass authentication and validation. The first fault that is due hits.
Effects, at most one:
${list(effectRules)}
With or without an effect:
${list(modifierRules)}
Examples:
  --fault get:status=503,times=2,retry-after=1    the first two polls fail
  --fault get:reset,after=3,times=1               the fourth poll loses its connection
  --fault start:ambiguous,times=1                 the job is started, but the first response is lost
  --fault export:delay=30s                        every job takes half a minute longer`;
}
