/** How a state marks values that JSON cannot express (Pulumi's `sdk/go/common/resource/sig`). */
export const markKey = "4dabf18193072939515e22adb298388d";

export const marks = {
    secret: "1b47061264138c4ac30d75fd1eb44270",
    resource: "5cf8f73096256a8f31e491e813e4eb8e",
    bytes: "803fd3297a5875dc03ca845dda5d2a98",
    float: "8ad145fe-0d11-4827-bfd7-1abcbf086f5c",
    asset: "c44067f5952c0a294b673a41bacd8c17",
    archive: "0def7320c3a5731c473e5ecbe6d01bc7",
} as const;

export type JsonObject = Record<string, unknown>;

export interface SecretMarker extends JsonObject {
    ciphertext?: string;
    plaintext?: string;
}

export function isObject(value: unknown): value is JsonObject {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function markOf(value: unknown): string | undefined {
    const mark = isObject(value) ? value[markKey] : undefined;
    return typeof mark === "string" ? mark : undefined;
}

export function isSecret(value: unknown): value is SecretMarker {
    return markOf(value) === marks.secret;
}

/** Whether it is a secret, or one stands in it. */
export function holdsSecret(value: unknown): boolean {
    return isSecret(value) || (typeof value === "object" && value !== null && Object.values(value).some(holdsSecret));
}

/** Applies `change` to each member of an array or object, and leaves everything else to the caller. */
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
