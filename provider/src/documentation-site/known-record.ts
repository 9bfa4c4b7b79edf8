/** Whether a value is an object literal, and not an Output, a Promise or a list. */
export function isPlainRecord(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/**
 * Describes the first property that is not in the list of names. Returns undefined if the list contains all properties.
 */
export function findUnknown(
    place: string,
    given: Record<string, unknown>,
    names: readonly string[],
): string | undefined {
    const unknown = Object.keys(given).find((name) => !names.includes(name));
    if (unknown === undefined) {
        return undefined;
    }
    const advice = /secret|password/i.test(unknown) ? ". Put secrets into the Secret that existingSecret names" : "";
    return `${place}.${unknown} is not an input. The inputs are ${names.join(", ")}${advice}`;
}
