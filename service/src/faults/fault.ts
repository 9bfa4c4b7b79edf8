/** What a fault can hit: the requests of one operation, or the running of exports (`export`) and of updates (`publish`). */
export const faultOperations = [
    "start",
    "list",
    "get",
    "bundle",
    "download",
    "agent-start",
    "agent-get",
    "agent-message",
    "agent-archive",
    "update",
    "update-get",
    "update-preview",
    "update-webhook",
    "cancel",
    "export",
    "publish",
] as const;
export type FaultOperation = (typeof faultOperations)[number];

/** The operations of the HTTP API, by their names in routes and the request log. */
export type Operation = Exclude<FaultOperation, "export" | "publish">;

export type FaultEffect =
    | { kind: "status"; status: number; retryAfter?: RetryAfter; html: boolean }
    | { kind: "reset" }
    | { kind: "ambiguous" }
    | { kind: "reset-after"; bytes: number }
    | { kind: "truncate" }
    | { kind: "unknown-status" }
    | { kind: "progress-back" }
    | { kind: "vanish" }
    | { kind: "expired-link" }
    | { kind: "fail"; reason: string };

export interface RetryAfter {
    seconds: number;
    /** Sent as an HTTP date instead of as seconds. */
    asDate: boolean;
}

/** One parsed `--fault` switch. It has an effect, a delay, or both. */
export interface Fault {
    /** The switch as it was written; injected errors quote it. */
    spec: string;
    operations: readonly FaultOperation[];
    effect?: FaultEffect;
    delayMs: number;
    /** How many requests of the operation pass before the first is hit. */
    after: number;
    /** How many are hit; Infinity when not limited. */
    times: number;
}
