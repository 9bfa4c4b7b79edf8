import { type LogFields, type RequestLogEntry, type ServiceLogger } from "@pulumi-static-export/service";
import { Option } from "commander";

const logFormats = ["text", "json"] as const;
export type LogFormat = (typeof logFormats)[number];

/** The log of a service or worker. */
export interface ServiceLog extends ServiceLogger {
    request(entry: RequestLogEntry): void;
    /** Logs how the process was started: several lines for people, or one JSON entry with the field `started`. */
    started(title: string, lines: readonly (readonly [name: string, value: string])[]): void;
}

export function logFormatOption(): Option {
    return new Option("--log-format <format>", "lines to read, or JSON objects with the ids of jobs and requests")
        .choices(logFormats)
        .default("text");
}

/**
 * Writes each line when it is logged, without delaying requests: if a pipe is full, Node.js keeps the rest in memory
 * and writes it before the process ends. Nothing else is buffered, so a crash loses only lines that a full pipe did not
 * accept.
 */
export function createServiceLog(format: LogFormat): ServiceLog {
    return format === "json" ? jsonLog : textLog;
}

const textLog: ServiceLog = {
    info: (message) => console.log(`${now()} ${message}`),
    error: (message) => console.error(`${now()} ${message}`),
    request: (entry) => {
        if (!isQuiet(entry)) {
            console.log(`${now()} ${describeRequest(entry)}`);
        }
    },
    started: (title, lines) => {
        console.log(title);
        lines.forEach(([name, value]) => console.log(`  ${name.padEnd(9)} ${value}`));
        console.log("Press Ctrl-C to stop.");
    },
};

const jsonLog: ServiceLog = {
    info: (message, fields) => console.log(toJson("info", message, fields)),
    error: (message, fields) => console.error(toJson("error", message, fields)),
    request: (entry) => {
        if (isQuiet(entry)) {
            return;
        }
        const { id, durationMs, ...others } = entry;
        const fields = { request: id, ...others, durationMs: Math.round(durationMs) };
        console.log(toJson("info", describeRequest(entry), fields));
    },
    started: (title, lines) => console.log(toJson("info", title, { started: Object.fromEntries(lines) })),
};

function toJson(level: "info" | "error", message: string, fields: LogFields | Record<string, unknown> = {}): string {
    return JSON.stringify({ time: new Date().toISOString(), level, message, ...fields });
}

const pollOperations: readonly (string | undefined)[] = ["get", "agent-get", "agent-log", "update-get"];

/** Polls that succeed change nothing; the jobs themselves are logged. */
function isQuiet({ operation, status }: RequestLogEntry): boolean {
    return pollOperations.includes(operation) && (status === 200 || status === 304);
}

function describeRequest({ method, path, status, address, key, error, durationMs }: RequestLogEntry): string {
    const from = address === undefined ? "" : `${address} `;
    const who = key === undefined ? "" : ` (key ${key})`;
    const why = error === undefined ? "" : `: ${error}`;
    return `${from}${method} ${path} ${status ?? "cut"} ${Math.round(durationMs)} ms${who}${why}`;
}

/** In UTC, such as 2026-11-01T10:00:00Z. */
function now(): string {
    return `${new Date().toISOString().slice(0, 19)}Z`;
}
