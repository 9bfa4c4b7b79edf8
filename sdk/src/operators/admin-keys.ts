import { ApiCalls } from "../http/admin-api.js";
import type { ApiCall } from "../http/api-call.js";
import type { CallOptions } from "../http/call-options.js";
import {
    answer,
    type Clean,
    cleaned,
    dateTime,
    type Decoded,
    type Decoder,
    field,
    fields,
    id,
    list,
    nullable,
    optional,
    string,
    text,
    unlessInvalid,
} from "../http/decode.js";
import { pathSegment } from "../http/settings.js";

const names: Decoder<readonly string[]> = list(cleaned);

/** Null if it is missing or invalid. */
function orNull<T>(decode: Decoder<T>): Decoder<T | null> {
    return (value, what, clean) => unlessInvalid(() => decode(value, what, clean))[0] ?? null;
}

const rights = {
    scopes: (value: unknown, what: string, clean: Clean) => nullable(names)(value, what, clean) ?? [],
    /** Domains, or patterns such as `*.example.com`; null for all. */
    domains: nullable(names),
    /** The ids of projects; null for all. */
    projects: nullable(names),
    /** In RFC 3339; null for a key that does not expire. */
    expiresAt: nullable(dateTime),
};

/** What a key may do. */
export type AdminKeyRights = Decoded<typeof rights>;

const adminKey = {
    id,
    name: text,
    ...rights,
    createdBy: orNull(cleaned),
    createdAt: dateTime,
    revokedAt: nullable(dateTime),
    /** Exact to a minute; null for a key that was never used. */
    lastUsedAt: nullable(dateTime),
};

/** An admin API key without its secret. */
export type AdminKey = Decoded<typeof adminKey>;

/** A missing right sets no limit. */
export type NewAdminKey = { name: string; scopes: readonly string[] } & Partial<AdminKeyRights>;

const createdKey = {
    key: fields(adminKey),
    secret: string,
    /** What is unusual about the key, such as a domain that no site has. */
    hint: optional(cleaned),
};

/** A new key, and its secret, which is shown only now. */
export type CreatedAdminKey = Decoded<typeof createdKey>;
const decodeNewKey = answer(fields(createdKey));

const keysPath = "/v1/keys";
const context = { subject: "administration" } as const;

/** The keys of the self-hosted service; not part of the contract. Each call needs a key with the scope `keys`. */
export class AdminKeys extends ApiCalls {
    /** The keys that the request's key may manage, the newest first. Retried. */
    async list(options: CallOptions = {}): Promise<AdminKey[]> {
        const decode = answer(field("keys", list(fields(adminKey), "each key")));
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
        const decode = answer(field("earlierValidUntil", dateTime));
        return (await this.api.attempt({ context, method: "POST", path, decode }, options)).value;
    }
}

function keyPath(keyId: string): string {
    return `${keysPath}/${pathSegment("keyId", keyId)}`;
}

function keyCall(method: "PATCH" | "DELETE", keyId: string): ApiCall<AdminKey> {
    return { context, method, path: keyPath(keyId), decode: answer(fields(adminKey)) };
}
