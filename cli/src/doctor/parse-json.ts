import { type ProgramResult } from "./examination.js";

/** What a program printed as JSON; undefined when it failed, or printed something else. */
export function parseJson<Value>(result: ProgramResult | undefined): Value | undefined {
    try {
        return result?.exitCode === 0 ? (JSON.parse(result.stdout) as Value) : undefined;
    } catch {
        return undefined;
    }
}
