import * as pulumi from "@pulumi/pulumi";

/**
 * The kinds of inputs. Only "input" accepts an Output: the others determine which resources are declared, so they must
 * be known while the program runs.
 */
export type InputKind = "input" | "text" | "flag" | "flags" | "record";

/**
 * Reports type errors in the arguments of JavaScript programs, which no compiler checks; undefined if there are none.
 *
 * @param required - the message for each missing input, by its name
 */
export function findWrongInput(
    args: Record<string, unknown>,
    inputs: Readonly<Record<string, InputKind>>,
    required: Readonly<Record<string, string>>,
): string | undefined {
    const unknown = Object.keys(args).find((name) => !Object.hasOwn(inputs, name));
    if (unknown !== undefined) {
        return `${unknown} is not an input. The inputs are ${Object.keys(inputs).join(", ")}`;
    }
    const missing = Object.keys(required).find((name) => (args[name] ?? undefined) === undefined);
    if (missing !== undefined) {
        return required[missing];
    }
    for (const [name, value] of Object.entries(args)) {
        const problem = findWrongKind(name, value, inputs[name] ?? "input");
        if (problem !== undefined) {
            return problem;
        }
    }
    return undefined;
}

function findWrongKind(name: string, value: unknown, kind: InputKind): string | undefined {
    if (value === undefined || kind === "input") {
        return undefined;
    }
    if (pulumi.Output.isInstance(value) || value instanceof Promise) {
        const inside = kind === "record" ? `. Only its properties may be Outputs` : "";
        return `${name} must be known while the program runs, so it cannot be an Output${inside}`;
    }
    switch (kind) {
        case "text":
            return typeof value === "string" ? undefined : `${name} must be a string, got ${JSON.stringify(value)}`;
        case "flag":
            return typeof value === "boolean"
                ? undefined
                : `${name} must be true or false, got ${JSON.stringify(value)}`;
        case "record":
        case "flags":
            if (typeof value !== "object" || value === null || Array.isArray(value)) {
                return `${name} must be an object, got ${JSON.stringify(value)}`;
            }
            return kind === "record" ? undefined : findWrongFlag(name, value as Record<string, unknown>);
    }
}

function findWrongFlag(name: string, flags: Record<string, unknown>): string | undefined {
    return Object.entries(flags)
        .map(([flag, value]) => findWrongKind(`${name}.${flag}`, value, "flag"))
        .find((problem) => problem !== undefined);
}
