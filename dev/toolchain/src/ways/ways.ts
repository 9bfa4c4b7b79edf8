import { ToolUnavailableError } from "../running/errors.js";
import { type EnsureOptions, reporter } from "../running/options.js";

/** A way to obtain a tool. */
export interface Way<T> {
    readonly name: string;
    /** Looks for an existing tool without using the network; otherwise describes what is missing. */
    readonly find: () => Promise<T | Missing>;
    /** Downloads or builds the tool. Absent if the tool can be neither downloaded nor built. */
    readonly make?: () => Promise<T>;
}

/** A clause, as in "none is on PATH"; empty where {@link Way.make} gives the reason. */
export class Missing {
    constructor(readonly reason: string) {}
}

/**
 * Returns the first result of any `find`; if there is none, the first result of any `make`.
 *
 * @throws {ToolUnavailableError} with every way's reason.
 */
export async function firstWay<T>(
    what: string,
    ways: readonly Way<T>[],
    { advice, ...options }: EnsureOptions & { readonly advice: string },
): Promise<T> {
    const reasons: string[] = [];
    for (const way of ways) {
        const found = await way.find();
        if (!(found instanceof Missing)) {
            return found;
        }
        if (found.reason !== "") {
            reasons.push(found.reason);
        }
    }
    const makers = ways.flatMap(({ make }) => (make === undefined ? [] : [make]));
    let lastError: ToolUnavailableError | undefined;
    for (const make of makers) {
        try {
            if (lastError !== undefined) {
                reporter(options)(`Trying another way to get ${what}: ${lastError.reasons.join(", ")}.`);
            }
            return await make();
        } catch (error) {
            if (!(error instanceof ToolUnavailableError)) {
                throw error;
            }
            reasons.push(...error.reasons);
            lastError = error;
        }
    }
    throw new ToolUnavailableError(what, reasons, advice, lastError?.output, { cause: lastError });
}
