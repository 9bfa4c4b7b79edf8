import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { type Readable } from "node:stream";
import { UsageError } from "../../command-line/usage-error.js";
import { type EngineEvent, isEngineEvent } from "./engine-event.js";
import { parseJson } from "./property-value.js";

const howToRecord =
    "Record one with `PULUMI_DEBUG_COMMANDS=1 pulumi preview --event-log events.log`, or with " +
    "`PULUMI_ENABLE_STREAMING_JSON_PREVIEW=1 pulumi preview --json > events.log`; or run `static-export preview`, " +
    "which does both.";

/**
 * The content of a log. `isCut` means that the log ends in the middle of an event, for example because Pulumi was
 * killed.
 */
export interface EventLog {
    events: EngineEvent[];
    isCut: boolean;
}

/** Reads engine events from a file, or from standard input for `-`. @throws UsageError for other content */
export async function readEventFile(path: string): Promise<EventLog> {
    try {
        return await readEvents(path === "-" ? process.stdin : createReadStream(path), nameOf(path));
    } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "ENOENT" || code === "EISDIR" || code === "EACCES") {
            throw new UsageError(`The event log ${path} cannot be read (${code}). ${howToRecord}`);
        }
        throw error;
    }
}

function nameOf(path: string): string {
    return path === "-" ? "Standard input" : `The file ${path}`;
}

/** Parses engine events, one per line. @throws UsageError for other content, with advice on recording events */
export async function readEvents(stream: Readable, name: string): Promise<EventLog> {
    const events: EngineEvent[] = [];
    let wrongLine: { number: number; text: string } | undefined;
    let number = 0;
    for await (const text of createInterface({ input: stream, crlfDelay: Infinity })) {
        number += 1;
        // PowerShell begins a file with a byte order mark.
        const line = number === 1 ? text.replace(/^\uFEFF/, "") : text;
        if (line.trim() === "") {
            continue;
        }
        // Only the last line may be incomplete, as in the log of a killed preview.
        assertEvents(wrongLine, name);
        const event = parseJson(line);
        if (isEngineEvent(event)) {
            events.push(event);
        } else {
            wrongLine = { number, text: line };
        }
    }
    const isCut = wrongLine !== undefined && events.length > 0 && wrongLine.text.startsWith("{");
    if (!isCut) {
        assertEvents(wrongLine, name);
    }
    return { events, isCut };
}

function assertEvents(wrongLine: { number: number; text: string } | undefined, name: string): void {
    if (wrongLine === undefined) {
        return;
    }
    const { number, text } = wrongLine;
    if (number === 1 && isPreviewDigest(text)) {
        throw new UsageError(
            `${name} is the output of \`pulumi preview --json\`, which omits every policy result and every cause of ` +
                `a failure, so there can be no verdict. ${howToRecord}`,
        );
    }
    throw new UsageError(
        `${name} is not an event log of Pulumi: line ${number} is not an engine event. ${howToRecord}`,
    );
}

/** Whether a line begins the output of `preview --json`, which is one object on one or many lines. */
function isPreviewDigest(line: string): boolean {
    const value = parseJson(line);
    const isCompact = typeof value === "object" && value !== null && ("steps" in value || "changeSummary" in value);
    return line.trim() === "{" || isCompact;
}
