/**
 * The targets of a fault: the requests of one operation, or the runs of exports (`export`) or updates (`publish`).
 */
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
    "details",
    "changes",
    "update-list",
    "sites",
    "site",
    "site-remove",
    "agent-list",
    "agent-log",
    "whoami",
    "key-list",
    "key-create",
    "key-change",
    "key-rotate",
    "key-revoke",
    "link-secret-rotate",
    "workers",
    "usage",
    "statistics",
    "service",
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

interface RetryAfter {
    seconds: number;
    /** Sent as an HTTP date, not in seconds. */
    asDate: boolean;
}

/** One parsed `--fault` switch. A switch has an effect, a delay, or both. */
export interface Fault {
    /** The switch as the user wrote it; injected errors quote it. */
    spec: string;
    operations: readonly FaultOperation[];
    effect?: FaultEffect;
    delayMs: number;
    /** How many requests of the operation pass before the first one fails. */
    after: number;
    /** How many requests fail; Infinity without a limit. */
    times: number;
}
