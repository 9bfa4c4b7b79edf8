/** A value thrown by code: an error, or any other value. */
export type ThrownValue = Readonly<Record<"name" | "message" | "stack", unknown>> | string | null;

/** Must equal the message of the error that the program in the engine throws. */
export const tooMuch = "the page computes too much";
/** Matches the engine's messages about lists and strings that exceed its limits. */
const tooLarge = /too long|too large|invalid (?:array|string) length/i;

/** The reason why code failed. @param sources the code that was run, by its number in stack traces */
export function reasonOfThrown(thrown: ThrownValue, sources: readonly string[]): string {
    const { name, message, stack } =
        typeof thrown === "object" && thrown !== null ? thrown : { name: "", message: thrown, stack: "" };
    const said = typeof message === "string" ? message : "";
    const isTooMuch = said === tooMuch || (name === "RangeError" && tooLarge.test(said));
    if (thrown === null || name === "InternalError" || isTooMuch) {
        const isTooDeep = /stack overflow|called recursively/.test(said);
        return isTooDeep ? "a function or a component calls itself too often" : tooMuch;
    }
    if (name === "Refused") {
        return said;
    }
    const unknown = name === "ReferenceError" ? /^'?(.+?)'? is not defined$/.exec(said)?.[1] : undefined;
    if (unknown !== undefined) {
        return `${unknown} has no value here`;
    }
    if (name === "TypeError" && said === "not a function") {
        return `${calleeAt(String(stack), sources)} is not a function here`;
    }
    return said === "" ? "its code throws an error" : `its code throws "${said}"`;
}

/**
 * Matches the name of the called function at the start of a stack trace: before its position, or after it in a tail
 * call.
 */
function calleeAt(stack: string, sources: readonly string[]): string {
    const [, source, line, column] = /page(\d+):(\d+):(\d+)/.exec(stack) ?? [];
    const text = sources[Number(source)]?.split("\n")[Number(line) - 1] ?? "";
    const place = Number(column) - 1;
    const found =
        /(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]*)\s*$/u.exec(text.slice(0, place)) ??
        (text.startsWith("return", place)
            ? /(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]*)\([^()]*\);?$/u.exec(text.slice(place + "return".length))
            : undefined);
    return found?.[1] ?? "what is called";
}
