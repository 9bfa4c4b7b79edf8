import { parseUrn } from "@pulumi-static-export/contract";
import { type EngineEvent } from "./engine-event.js";
import { asString } from "./property-value.js";

export interface Diagnostic {
    /** The name of the message's resource, if it has one. */
    resource: string | undefined;
    message: string;
}

export interface Diagnostics {
    errors: Diagnostic[];
    warnings: Diagnostic[];
}

/**
 * Pulumi's warning about plugins from PATH, for example if they are built from source. Readers of a report cannot
 * change how plugins are installed.
 */
const pluginWarnings = [/^using \S+ from \$PATH at /, /^resource plugin \S+ is expected to have version /];
/** Pulumi's last line of every failed preview, which contains no information. */
const repeated = /^(?:preview|update) failed$/;

/** The errors and warnings of a preview, each once, without warnings about plugins. */
export function collectDiagnostics(events: readonly EngineEvent[]): Diagnostics {
    const found = { errors: new Map<string, Diagnostic>(), warnings: new Map<string, Diagnostic>() };
    const add = (kind: keyof typeof found, resource: string | undefined, text: unknown): void => {
        const message = withoutStack((asString(text) ?? "").replace(/<\{%[^%]*%\}>/g, "")).trim();
        if (message !== "" && !repeated.test(message) && !pluginWarnings.some((noise) => noise.test(message))) {
            found[kind].set(`${resource ?? ""} ${message}`, { resource, message });
        }
    };
    for (const { diagnosticEvent, errorEvent } of events) {
        const urn = asString(diagnosticEvent?.urn);
        const resource = urn ? parseUrn(urn)?.name : undefined;
        if (diagnosticEvent?.severity === "error") {
            add("errors", resource, diagnosticEvent.message);
        } else if (diagnosticEvent?.severity === "warning") {
            add("warnings", resource, diagnosticEvent.message);
        }
        add("errors", undefined, errorEvent?.error);
    }
    return { errors: [...found.errors.values()], warnings: [...found.warnings.values()] };
}

/**
 * Keeps only the program's stack frames, because frames of Node.js and of installed packages do not help a reviewer.
 */
function withoutStack(message: string): string {
    const isForeignFrame = (line: string): boolean =>
        /^\s+at /.test(line) && /node:|node_modules|\[native code\]|<anonymous>\)?$/.test(line);
    return message
        .split("\n")
        .filter((line) => !isForeignFrame(line))
        .join("\n");
}
