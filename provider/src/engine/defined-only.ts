/**
 * Removes undefined and null values at the top level. Pulumi could not serialise undefined values, and would fail after
 * the job has run; programs use null for an omitted input.
 */
export function definedOnly<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined | null> } {
    return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined && v !== null)) as {
        [K in keyof T]?: Exclude<T[K], undefined | null>;
    };
}
