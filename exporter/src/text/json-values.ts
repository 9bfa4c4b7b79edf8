import { isRecord } from "@pulumi-static-export/contract";

export { isRecord };

/** Returns an object unchanged, and an empty object for any other value. */
export function asRecord(value: unknown): Record<string, unknown> {
    return isRecord(value) ? value : {};
}

/** Returns a list unchanged, and an empty list for any other value. */
export function listOf(value: unknown): readonly unknown[] {
    return Array.isArray(value) ? value : [];
}

/** The objects in a list; empty for other values. */
export function recordsOf(value: unknown): Record<string, unknown>[] {
    return listOf(value).filter(isRecord);
}

/** Returns a string that is not blank; undefined for any other value. */
export function textOf(value: unknown): string | undefined {
    return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** The scalar values of settings and front matter. */
export type Plain = string | number | boolean;

export function isPlain(value: unknown): value is Plain {
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** A value of JSON, or of YAML without types. */
export type Json = Plain | null | readonly Json[] | { readonly [key: string]: Json };

/** Returns the record; undefined for a record without keys. */
export function unlessEmpty<T extends object>(values: T): T | undefined {
    return Object.keys(values).length === 0 ? undefined : values;
}

/** The record without undefined values. */
export function withoutUndefined<T extends object>(values: T): WithoutUndefined<T> {
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as WithoutUndefined<T>;
}

type WithoutUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
    [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Values without those that only YAML has; an empty value means nothing, and an expression shows nothing of it. */
export function jsonValueOf(value: unknown): Json {
    if (Array.isArray(value)) {
        return value.map(jsonValueOf);
    }
    if (isRecord(value)) {
        const entries = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
        return Object.fromEntries(entries.map(([key, each]) => [key, jsonValueOf(each)]));
    }
    return isPlain(value) ? value : null;
}
