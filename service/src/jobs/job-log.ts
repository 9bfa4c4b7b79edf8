import { beginningOf } from "@pulumi-static-export/contract";
import { withoutSequences } from "../output/terminal-reader.js";
import { type Attempt } from "./attempts.js";

/** The steps of an export, in order. */
export const jobPhases = ["prepare", "checkout", "build", "export", "store"] as const;
export type JobPhase = (typeof jobPhases)[number];

export interface JobLogLine {
    at: Date;
    attempt: number;
    message: string;
    /** The step that begins with this line. */
    phase?: JobPhase;
}

const maxLineCharacters = 2000;
/** With colours and other sequences. */
const maxMessageCharacters = 10 * maxLineCharacters;

/**
 * The lines that the runs of this process have not stored yet. A run stores them with its next tick, so that its log
 * costs no further statements.
 */
export class JobLogs {
    readonly #clock: () => number;
    readonly #lines = new Map<string, JobLogLine[]>();

    constructor(clock: () => number) {
        this.#clock = clock;
    }

    add({ jobId, attempt }: Attempt, message: string, phase?: JobPhase): void {
        const text = shownText(message);
        const line = { at: new Date(this.#clock()), attempt, message: text, ...(phase === undefined ? {} : { phase }) };
        this.#lines.set(jobId, [...(this.#lines.get(jobId) ?? []), line]);
    }

    of(jobId: string): readonly JobLogLine[] {
        return this.#lines.get(jobId) ?? [];
    }

    /** Forgets the first lines, which were stored. */
    stored(jobId: string, count: number): void {
        const left = this.of(jobId).slice(count);
        if (left.length === 0) {
            this.#lines.delete(jobId);
        } else {
            this.#lines.set(jobId, left);
        }
    }
}

/** The message as one line of limited length, with its indentation. */
function shownText(message: string): string {
    const shown = withoutSequences(beginningOf(message, maxMessageCharacters))
        .replace(/\r?\n|\r/g, " ")
        .replace(/[^\P{C}\t]/gu, "?");
    return beginningOf(shown, maxLineCharacters);
}

/** One line of JSON for each line of the log. */
export function formatLog(lines: readonly JobLogLine[]): string {
    return lines.map((line) => `${JSON.stringify({ ...line, at: line.at.getTime() })}\n`).join("");
}

export function parseLog(text: string | null): JobLogLine[] {
    return (text ?? "").split("\n").flatMap((line) => {
        try {
            const parsed = JSON.parse(line) as Omit<JobLogLine, "at"> & { at: number };
            return [{ ...parsed, at: new Date(parsed.at) }];
        } catch {
            // A broken or empty line must not hide the others.
            return [];
        }
    });
}
