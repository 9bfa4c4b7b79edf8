import { ApiCalls } from "../http/admin-api.js";
import type { ApiCall } from "../http/api-call.js";
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

/** A new key, and its secret, which is shown only now. */
export interface CreatedAdminKey {
    key: AdminKey;
    secret: string;
    /** What is unusual about the key, such as a domain that no site has. */
    hint?: string;
}

const keysPath = "/v1/keys";
const context = { subject: "administration" } as const;

/** The keys of the self-hosted service; not part of the contract. Each call needs a key with the scope `keys`. */
export class AdminKeys extends ApiCalls {
    /** The keys that the request's key may manage, the newest first. Retried. */
    async list(options: CallOptions = {}): Promise<AdminKey[]> {
        const decode = (answer: unknown, clean: Clean) =>
            decodeList(decodeObject(answer), "keys", (key) => decodeKey(key, clean), "each key");
        return this.api.repeat({ context, method: "GET", path: keysPath, decode }, options);
    }

    /** Not retried: after a lost response, `list` shows whether the key exists. */
    async create(wanted: NewAdminKey, options: CallOptions = {}): Promise<CreatedAdminKey> {
        const body = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== null));
        const call = { context, method: "POST", path: keysPath, body, decode: decodeNewKey } as const;
        return (await this.api.attempt(call, options)).value;
    }

    /** Changes the given rights; null removes a limit. Retried. */
    async change(keyId: string, rights: Partial<AdminKeyRights>, options: CallOptions = {}): Promise<AdminKey> {
        return this.api.repeat({ ...keyCall("PATCH", keyId), body: rights }, options);
    }

    /**
     * Replaces the secret. Not retried.
     * @param graceSeconds - for how long the earlier secret is still accepted
     */
    async rotate(
        keyId: string,
        graceSeconds: number,
        options: CallOptions = {},
    ): Promise<{ key: AdminKey; secret: string }> {
        const path = `${keyPath(keyId)}/rotate?graceSeconds=${graceSeconds}`;
        return (await this.api.attempt({ context, method: "POST", path, decode: decodeNewKey }, options)).value;
    }

    /** Retried. */
    async revoke(keyId: string, options: CallOptions = {}): Promise<AdminKey> {
        return this.api.repeat(keyCall("DELETE", keyId), options);
    }

    /**
     * Replaces the secret that signs bundle links. Not retried.
     * @param graceSeconds - for how long earlier links still work @default as long as a link works
     * @returns until when earlier links work, in RFC 3339
     */
    async rotateLinkSecret(graceSeconds?: number, options: CallOptions = {}): Promise<string> {
        const query = graceSeconds === undefined ? "" : `?graceSeconds=${graceSeconds}`;
        const path = `/v1/link-secret/rotate${query}`;
        const decode = (answer: unknown) => decodeDateTime(decodeObject(answer), "earlierValidUntil");
        return (await this.api.attempt({ context, method: "POST", path, decode }, options)).value;
    }
}

function keyPath(keyId: string): string {
    return `${keysPath}/${pathSegment("keyId", keyId)}`;
}

function keyCall(method: "PATCH" | "DELETE", keyId: string): ApiCall<AdminKey> {
    const decode = (answer: unknown, clean: Clean) => decodeKey(decodeObject(answer), clean);
    return { context, method, path: keyPath(keyId), decode };
}

function decodeNewKey(answer: unknown, clean: Clean): CreatedAdminKey {
    const object = decodeObject(answer);
    const { hint } = object;
    return {
        key: decodeKey(decodeObject(object["key"], "the key"), clean),
        secret: decodeString(object, "secret"),
        ...(typeof hint === "string" ? { hint: clean(hint) } : {}),
    };
}

function decodeKey(object: JsonObject, clean: Clean): AdminKey {
    const names = (field: string): string[] | null => {
        const value = object[field] ?? null;
        if (value !== null && !(Array.isArray(value) && value.every((each) => typeof each === "string"))) {
            throw new DecodeProblem(`"${field}" must be an array of strings or null`);
        }
        return value === null ? null : value.map(clean);
    };
    const createdBy = object["createdBy"];
    return {
        id: decodeId(object, "id", clean),
        name: decodeText(object, "name", clean),
        scopes: names("scopes") ?? [],
        domains: names("domains"),
        projects: names("projects"),
        createdBy: typeof createdBy === "string" ? clean(createdBy) : null,
        createdAt: decodeDateTime(object, "createdAt"),
        expiresAt: decodeNullableDateTime(object, "expiresAt"),
        revokedAt: decodeNullableDateTime(object, "revokedAt"),
        lastUsedAt: decodeNullableDateTime(object, "lastUsedAt"),
    };
}
