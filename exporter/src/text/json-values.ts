import { isRecord } from "@pulumi-static-export/contract";

export { isRecord };

/** A value where it is an object, and an empty object where it is anything else. */
export function asRecord(value: unknown): Record<string, unknown> {
    return isRecord(value) ? value : {};
}

/** A value where it is a list, and an empty list where it is anything else. */
export function listOf(value: unknown): readonly unknown[] {
    return Array.isArray(value) ? value : [];
}

/** The objects of a list; none of anything else. */
export function recordsOf(value: unknown): Record<string, unknown>[] {
    return listOf(value).filter(isRecord);
}

/** A value where it is a text that says something. */
export function textOf(value: unknown): string | undefined {
    return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** The scalar values of settings and front matter. */
export type Plain = string | number | boolean;

export function isPlain(value: unknown): value is Plain {
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** The record without keys whose values are undefined. */
export function withoutUndefined<T extends object>(values: T): WithoutUndefined<T> {
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as WithoutUndefined<T>;
}

type WithoutUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
    [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};
