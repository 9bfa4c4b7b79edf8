import type { AdminApi } from "../http/admin-api.js";
import type { CallOptions } from "../http/call-options.js";
import {
    type Clean,
    DecodeProblem,
    decodeDateTime,
    decodeId,
    decodeNullableDateTime,
    decodeObject,
    decodeString,
    decodeText,
    type JsonObject,
    decodeList,
} from "../http/decode.js";
import { pathSegment } from "../http/settings.js";

/** What a key may do. */
export interface AdminKeyRights {
    scopes: readonly string[];
    /** Domains, or patterns such as `*.example.com`; null for all. */
    domains: readonly string[] | null;
    /** The ids of projects; null for all. */
    projects: readonly string[] | null;
    /** In RFC 3339; null for a key that does not expire. */
    expiresAt: string | null;
    priority: string;
    maxQueuedJobs: number | null;
    maxRunningJobs: number | null;
}

/** An admin API key without its secret. */
export interface AdminKey extends AdminKeyRights {
    id: string;
    name: string;
    createdBy: string | null;
    createdAt: string;
    revokedAt: string | null;
    /** Exact to a minute; null for a key that was never used. */
    lastUsedAt: string | null;
}

/** A missing right sets no limit. */
export type NewAdminKey = { name: string; scopes: readonly string[] } & Partial<AdminKeyRights>;

/** The keys of the self-hosted service; not part of the contract. Each call needs a key with the scope `keys`. */
export interface AdminKeys {
    /** The keys that the request's key may manage, the newest first. Retried. */
    list(options?: CallOptions): Promise<AdminKey[]>;
    /** Not retried: after a lost response, `list` shows whether the key exists. */
    create(wanted: NewAdminKey, options?: CallOptions): Promise<{ key: AdminKey; secret: string }>;
    /** Changes the given rights; null removes a limit. Retried. */
    change(keyId: string, rights: Partial<AdminKeyRights>, options?: CallOptions): Promise<AdminKey>;
    /**
     * Replaces the secret. Not retried.
     * @param graceSeconds - for how long the earlier secret is still accepted
     */
    rotate(keyId: string, graceSeconds: number, options?: CallOptions): Promise<{ key: AdminKey; secret: string }>;
    /** Retried. */
    revoke(keyId: string, options?: CallOptions): Promise<AdminKey>;
    /**
     * Replaces the secret that signs bundle links. Not retried.
     * @param graceSeconds - for how long earlier links still work @default as long as a link works
     * @returns until when earlier links work, in RFC 3339
     */
    rotateLinkSecret(graceSeconds?: number, options?: CallOptions): Promise<string>;
}

const keysPath = "/v1/keys";

export function createAdminKeys(api: AdminApi): AdminKeys {
    const context = { subject: "administration" } as const;
    const keyPath = (keyId: string): string => `${keysPath}/${pathSegment("keyId", keyId)}`;
    return {
        list: async (options = {}) =>
            api.repeat(
                {
                    context,
                    method: "GET",
                    path: keysPath,
                    decode: (answer, clean) =>
                        decodeList(decodeObject(answer), "keys", (key) => decodeKey(key, clean), "each key"),
                },
                options,
            ),
        create: async (wanted, options = {}) => {
            const given = Object.entries(wanted).filter(([, value]) => value !== null);
            const body = Object.fromEntries(given);
            const call = { context, method: "POST", path: keysPath, body, decode: decodeNewKey } as const;
            return (await api.attempt(call, options)).value;
        },
        change: async (keyId, rights, options = {}) =>
            api.repeat(
                {
                    context,
                    method: "PATCH",
                    path: keyPath(keyId),
                    body: rights,
                    decode: (answer, clean) => decodeKey(decodeObject(answer), clean),
                },
                options,
            ),
        rotate: async (keyId, graceSeconds, options = {}) => {
            const path = `${keyPath(keyId)}/rotate?graceSeconds=${graceSeconds}`;
            return (await api.attempt({ context, method: "POST", path, decode: decodeNewKey }, options)).value;
        },
        revoke: async (keyId, options = {}) =>
            api.repeat(
                {
                    context,
                    method: "DELETE",
                    path: keyPath(keyId),
                    decode: (answer, clean) => decodeKey(decodeObject(answer), clean),
                },
                options,
            ),
        rotateLinkSecret: async (graceSeconds, options = {}) => {
            const query = graceSeconds === undefined ? "" : `?graceSeconds=${graceSeconds}`;
            const call = {
                context,
                method: "POST",
                path: `/v1/link-secret/rotate${query}`,
                decode: (answer: unknown) => decodeDateTime(decodeObject(answer), "earlierValidUntil"),
            } as const;
            return (await api.attempt(call, options)).value;
        },
    };
}

function decodeNewKey(answer: unknown, clean: Clean): { key: AdminKey; secret: string } {
    const object = decodeObject(answer);
    return { key: decodeKey(decodeObject(object["key"], "the key"), clean), secret: decodeString(object, "secret") };
}

function decodeKey(object: JsonObject, clean: Clean): AdminKey {
    const names = (field: string): string[] | null => {
        const value = object[field] ?? null;
        if (value !== null && !(Array.isArray(value) && value.every((each) => typeof each === "string"))) {
            throw new DecodeProblem(`"${field}" must be an array of strings or null`);
        }
        return value === null ? null : value.map(clean);
    };
    const count = (field: string): number | null => (typeof object[field] === "number" ? object[field] : null);
    const createdBy = object["createdBy"];
    return {
        id: decodeId(object, "id", clean),
        name: decodeText(object, "name", clean),
        scopes: names("scopes") ?? [],
        domains: names("domains"),
        projects: names("projects"),
        priority: decodeText(object, "priority", clean),
        maxQueuedJobs: count("maxQueuedJobs"),
        maxRunningJobs: count("maxRunningJobs"),
        createdBy: typeof createdBy === "string" ? clean(createdBy) : null,
        createdAt: decodeDateTime(object, "createdAt"),
        expiresAt: decodeNullableDateTime(object, "expiresAt"),
        revokedAt: decodeNullableDateTime(object, "revokedAt"),
        lastUsedAt: decodeNullableDateTime(object, "lastUsedAt"),
    };
}
