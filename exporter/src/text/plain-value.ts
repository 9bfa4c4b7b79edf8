/** The scalar values of settings and front matter. */
export type Plain = string | number | boolean;

export function isPlain(value: unknown): value is Plain {
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
