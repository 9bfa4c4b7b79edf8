/**
 * Removes undefined and null values at the top level. Pulumi could not serialise undefined ones, and would fail after
 * the job has run; null is how programs write an input that they leave out.
 */
export function definedOnly<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined | null> } {
    return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined && v !== null)) as {
        [K in keyof T]?: Exclude<T[K], undefined | null>;
    };
}
