/**
 * Reports what a compiler would have said about the arguments, for programs in JavaScript; undefined when all is well.
 */
export function findWrongInput(
    args: Record<string, unknown>,
    inputs: Readonly<Record<string, true>>,
): string | undefined {
    const unknown = Object.keys(args).find((name) => !Object.hasOwn(inputs, name));
    if (unknown !== undefined) {
        return `${unknown} is not an input; the inputs are ${Object.keys(inputs).join(", ")}`;
    }
    return args.domain === undefined || args.domain === null
        ? "domain is required: the host name of the documentation site"
        : undefined;
}
