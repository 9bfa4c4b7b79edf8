import { readdirSync, readFileSync } from "node:fs";

/** The progress reports of a real job until it ended. */
export interface Recording {
    readonly name: string;
    readonly lengthMs: number;
    /** Each reported progress, with the time from which it applies; null if none was reported. */
    readonly told: readonly (readonly [elapsedMs: number, progress: number | null])[];
}

const fixtures = new URL("fixtures/", import.meta.url);

/** @throws when there are no recordings */
export function readRecordings(): readonly [Recording, ...Recording[]] {
    const [first, ...others] = readdirSync(fixtures)
        .filter((name) => name.endsWith(".json"))
        .sort()
        .map((name) => JSON.parse(readFileSync(new URL(name, fixtures), "utf8")) as Recording);
    if (first === undefined) {
        throw new Error("There is no recorded job in bench/polling/fixtures: make some with bench/polling/record.ts.");
    }
    return [first, ...others];
}

/** Replays the reports of the recorded job, stretched to another length. */
export function replay(recording: Recording, lengthMs: number): (elapsedMs: number) => number | undefined {
    const stretch = lengthMs / recording.lengthMs;
    return (elapsedMs) => recording.told.findLast(([sinceMs]) => sinceMs * stretch <= elapsedMs)?.[1] ?? undefined;
}
