/** The results of the specs of one file. */
export interface FileResult {
    file: string;
    passing: number;
    /** The titles of the specs that were skipped. */
    pending: string[];
    failures: Failure[];
    seconds: number;
    /** The CPU time, on all cores, of the file's processes that have ended; 0 if unknown. */
    processorSeconds: number;
    /** Specs that failed while other files were running, but passed when they ran again alone. */
    failedBesideOthers?: Failure[];
}

export interface Failure {
    file: string;
    title: string;
    /** With the stack. */
    message: string;
}

/** Describes a file in one line: `✓ tests/sdk/http/transport/gate.spec.ts: 4 passing (12 ms)`. */
export function describeFile({ file, passing, pending, failures, seconds }: FileResult): string {
    const counts = [
        ...(failures.length > 0 ? [`${failures.length} failing`] : []),
        ...(passing > 0 ? [`${passing} passing`] : []),
        ...(pending.length > 0 ? [`${pending.length} pending`] : []),
    ];
    const mark = failures.length > 0 ? "✗" : passing > 0 ? "✓" : "-";
    const lines = failures.map(({ title }) => `    failing: ${title}`);
    return [`${mark} ${file}: ${counts.join(", ")} (${describeSeconds(seconds)})`, ...lines].join("\n");
}

/** Returns the counts in mocha's form, and the failures with their files, which a run prints at its end. */
export function summarize(results: readonly FileResult[], seconds: number): string {
    const passing = results.reduce((sum, result) => sum + result.passing, 0);
    const pending = results.flatMap((result) => result.pending);
    const failures = results.flatMap((result) => result.failures);
    const passedAlone = results.flatMap(({ failedBesideOthers = [] }) => failedBesideOthers);
    return [
        "",
        ...passedAlone.flatMap((failure) => describeFailure(failure, "passed when it ran again, alone:")),
        ...(passedAlone.length > 0 ? [describePassedAlone(passedAlone), ""] : []),
        ...failures.flatMap((failure, index) => describeFailure(failure, `${index + 1})`)),
        `  ${passing} passing (${describeSeconds(seconds)})`,
        ...(pending.length > 0 ? [`  ${pending.length} pending`] : []),
        ...(failures.length > 0 ? [`  ${failures.length} failing`] : []),
        // Once more, in short: the end is all that a reader of CI's output may see, and one failure may fill it.
        ...failures.map(({ file, title, message }) => `    ${file}: ${title}: ${firstLine(message)}`),
        "",
    ].join("\n");
}

function firstLine(message: string): string {
    const [line = ""] = message.split("\n");
    return line.length > 200 ? `${line.slice(0, 200)} …` : line;
}

function describePassedAlone(failures: readonly Failure[]): string {
    const files = new Set(failures.map(({ file }) => file));
    return [`  Failed at first, and passed alone (${files.size}):`, ...files].join("\n    ");
}

function describeFailure({ file, title, message }: Failure, label: string): string[] {
    return [`  ${label} ${file}`, `     ${title}`, ...message.split("\n").map((line) => `       ${line}`), ""];
}

function describeSeconds(seconds: number): string {
    if (seconds < 1) {
        return `${Math.round(seconds * 1000)} ms`;
    }
    return seconds < 90 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/**
 * Lists the files with the most CPU time, and the time of all files, which is the cost of a run on any number of
 * cores.
 */
export function describeSlowest(results: readonly FileResult[], count: number): string {
    const files = results.toSorted((one, other) => other.processorSeconds - one.processorSeconds).slice(0, count);
    const sum = (column: "seconds" | "processorSeconds") => results.reduce((total, each) => total + each[column], 0);
    const lines = [
        ["processor", "duration", "the slowest files"],
        ...files.map(({ file, processorSeconds, seconds }) => [
            `${processorSeconds.toFixed(1)} s`,
            `${seconds.toFixed(1)} s`,
            file,
        ]),
        [
            `${(sum("processorSeconds") / 60).toFixed(1)} min`,
            `${(sum("seconds") / 60).toFixed(1)} min`,
            `all ${results.length} files`,
        ],
    ];
    return lines
        .map(([processor = "", duration = "", file]) => `  ${processor.padStart(9)}  ${duration.padStart(9)}  ${file}`)
        .join("\n");
}
