import {
    adminKey,
    answer,
    createdKey,
    type keyRights,
    list,
    member,
    object,
    type Received,
    rotatedLinkSecret,
} from "@pulumi-static-export/contract/api";
import { ApiCalls } from "../http/admin-api.js";
import type { ApiCall } from "../http/api-call.js";
import type { CallOptions } from "../http/call-options.js";
import { pathSegment } from "../http/settings.js";

/** The rights of a key. */
export type AdminKeyRights = Received<typeof keyRights>;

/** An admin API key without its secret. */
export type AdminKey = Received<typeof adminKey>;

/** A missing right sets no limit. */
export type NewAdminKey = { name: string; scopes: readonly string[] } & Partial<AdminKeyRights>;

/** A new key, and its secret, which is shown only now. */
export type CreatedAdminKey = Received<typeof createdKey>;
const decodeNewKey = answer(object(createdKey));

const keysPath = "/v1/keys";
const context = { subject: "administration" } as const;

/** The keys of the self-hosted service; not part of the contract. Each call needs a key with the scope `keys`. */
export class AdminKeys extends ApiCalls {
    /** The keys that the request's key may manage, the newest first. Retried. */
    async list(options: CallOptions = {}): Promise<AdminKey[]> {
        const decode = answer(member("keys", list(object(adminKey))));
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
        const decode = answer(member("earlierValidUntil", rotatedLinkSecret.earlierValidUntil));
        return (await this.api.attempt({ context, method: "POST", path, decode }, options)).value;
    }
}

function keyPath(keyId: string): string {
    return `${keysPath}/${pathSegment("keyId", keyId)}`;
}

function keyCall(method: "PATCH" | "DELETE", keyId: string): ApiCall<AdminKey> {
    return { context, method, path: keyPath(keyId), decode: answer(object(adminKey)) };
}
