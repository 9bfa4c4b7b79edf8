import { appendFileSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { type Suite } from "mocha";

/** The variable with the file that collects the CPU time of the spec files, for all processes of a mocha run. */
const fileVariable = "STATIC_EXPORT_PROCESSOR_TIME";

/** Linux counts in units of 10 ms. */
const unitsPerSecond = 100;

let before = 0;

/** Root hooks: each mocha worker runs them for each spec file; without workers, mocha runs them once for all files. */
export const mochaHooks = {
    beforeAll(this: Mocha.Context): void {
        for (const suite of this.test?.parent?.suites ?? []) {
            // Runs after the file's own hooks, which stop the servers that the file has started.
            suite.afterAll("CPU time", () => record(suite));
        }
    },
};

function record(suite: Suite): void {
    const target = process.env[fileVariable];
    const now = usedSeconds();
    if (target !== undefined && suite.file !== undefined && now !== undefined) {
        appendFileSync(target, `${JSON.stringify([relative(".", suite.file), now - before])}\n`);
        before = now;
    }
}

/** Returns the time of this process and of its ended children; undefined where the system does not count it. */
function usedSeconds(): number | undefined {
    try {
        const [, fields = ""] = readFileSync("/proc/self/stat", "utf8").split(") ");
        const [user = 0, system = 0, ofChildren = 0, systemOfChildren = 0] = fields
            .split(" ")
            .slice(11, 15)
            .map(Number);
        return (user + system + ofChildren + systemOfChildren) / unitsPerSecond;
    } catch {
        return undefined;
    }
}

/** Returns the environment that makes a mocha run write the CPU time of its specs to a file. */
export function recordingTo(file: string): NodeJS.ProcessEnv {
    return { [fileVariable]: file };
}

/** Returns the recorded seconds, by spec file. */
export function readProcessorTime(file: string): ReadonlyMap<string, number> {
    const seconds = new Map<string, number>();
    let text = "";
    try {
        text = readFileSync(file, "utf8");
    } catch {
        // No spec has run to completion.
    }
    for (const line of text.split("\n").slice(0, -1)) {
        const [name, added] = JSON.parse(line) as [string, number];
        seconds.set(name, (seconds.get(name) ?? 0) + added);
    }
    return seconds;
}
