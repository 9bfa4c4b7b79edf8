import { type ProgramResult } from "./examination.js";

/** The parsed JSON output of a program; undefined if it failed or did not print JSON. */
export function parseJson<Value>(result: ProgramResult | undefined): Value | undefined {
    try {
        return result?.exitCode === 0 ? (JSON.parse(result.stdout) as Value) : undefined;
    } catch {
        return undefined;
    }
}
