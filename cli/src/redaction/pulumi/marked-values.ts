import { isRecord, markKey, marks } from "@pulumi-static-export/contract";

export type JsonObject = Record<string, unknown>;

export interface SecretMarker extends JsonObject {
    ciphertext?: string;
    plaintext?: string;
}

export function markOf(value: unknown): string | undefined {
    const mark = isRecord(value) ? value[markKey] : undefined;
    return typeof mark === "string" ? mark : undefined;
}

export function isSecret(value: unknown): value is SecretMarker {
    return markOf(value) === marks.secret;
}

/** Whether a value is a secret or contains one. */
export function holdsSecret(value: unknown): boolean {
    return isSecret(value) || (typeof value === "object" && value !== null && Object.values(value).some(holdsSecret));
}

/** Applies `change` to each member of an array or object, and returns anything else unchanged. */
export function mapMembers(value: object, change: (member: unknown, key: string) => unknown): unknown {
    return Array.isArray(value)
        ? value.map((member, index) => change(member, String(index)))
        : Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member, key)]));
}

/** A property's path as Pulumi writes it: `values.staticExport.bundleUrl`, `paths[0]`, `["static-export:baseUrl"]`. */
export function joinPath(path: string, key: string): string {
    if (/^\d+$/.test(key)) {
        return `${path}[${key}]`;
    }
    if (!/^[\w$-]+$/.test(key)) {
        return `${path}[${JSON.stringify(key)}]`;
    }
    return path === "" ? key : `${path}.${key}`;
}
