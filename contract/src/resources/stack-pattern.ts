/** The stacks to which rules for production apply by default. */
export const defaultProtectedStacks: readonly string[] = ["prod*"];

/**
 * Whether one of the patterns matches the whole name of a stack; `*` matches any characters. Patterns come from
 * configuration, so no pattern may make matching slow: the time is proportional to the name's length.
 */
export function matchesStack(stack: string, patterns: readonly string[]): boolean {
    return patterns.some((pattern) => matches(stack, pattern));
}

function matches(name: string, pattern: string): boolean {
    const [start = "", ...rest] = pattern.split("*");
    const end = rest.pop();
    if (end === undefined) {
        return name === start;
    }
    let from = start.length;
    for (const part of rest) {
        const at = name.indexOf(part, from);
        if (at === -1) {
            return false;
        }
        from = at + part.length;
    }
    return name.startsWith(start) && name.endsWith(end) && name.length >= from + end.length;
}
