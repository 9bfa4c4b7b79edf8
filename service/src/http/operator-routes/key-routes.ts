import { type AdminKey, type AdminKeys, KeyNameTakenError, keyScopes } from "../../keys/admin-keys.js";
import { InvalidKeyError, reachesDomain, resolveReach } from "../../keys/key-reach.js";
import { type LinkSecrets } from "../../keys/link-secrets.js";
import { type ServiceLogger } from "../../shared/logger.js";
import { assertUnlimited, type Caller, describeKey, type Grant } from "../protocol/caller.js";
import {
    KeyChangesBody,
    KeyParams,
    NewKeyBody,
    RotateKeyQuery,
    RotateLinkSecretQuery,
} from "../protocol/operator-requests.js";
import { RequestError } from "../protocol/request-error.js";
import { routesOf } from "../protocol/route.js";

interface KeyRoutesOptions {
    adminKeys: AdminKeys;
    linkSecrets: Pick<LinkSecrets, "rotate">;
    /** How long a bundle link works. */
    linkTtlSeconds: number;
    clock: () => number;
    logger: ServiceLogger;
}

const route = routesOf<KeyRoutesOptions>("Keys");

const whoAmI = route({
    at: "GET /v1/whoami",
    operation: "whoami",
    scopes: keyScopes,
    id: "whoAmI",
    summary: "Get the name, scopes and domains of the request's own key",
    answer: [200, "WhoAmI", "The key of the request."],
    handle: ({ caller: { name, id, scopes, domains, projects, expiresAt } }) => ({
        name,
        id,
        scopes: [...scopes],
        domains: copyOf(domains),
        projects: copyOf(projects),
        expiresAt: expiresAt?.toISOString() ?? null,
    }),
});

const listKeys = route({
    at: "GET /v1/keys",
    operation: "key-list",
    scopes: ["keys"],
    id: "listKeys",
    summary: "List admin API keys",
    answer: [200, "AdminKeyList", "The keys, also revoked and expired ones, the newest first."],
    handle: async ({ caller }, { adminKeys }) => ({
        keys: (await adminKeys.list())
            .filter((key) => mayManage(caller, key))
            .reverse()
            .map(answerOf),
    }),
});

const createKey = route({
    at: "POST /v1/keys",
    operation: "key-create",
    scopes: ["keys"],
    id: "createKey",
    summary: "Create an admin API key",
    request: { body: NewKeyBody },
    answer: [201, "NewAdminKey", "The key, which is shown only now."],
    errors: [409],
    handle: async ({ caller, body, id: request }, { adminKeys, clock, logger }, reply) => {
        const given = {
            ...body,
            domains: body.domains ?? null,
            projects: body.projects ?? null,
            expiresAt: readExpiry(body.expiresAt ?? null, clock),
        };
        const wanted = {
            ...given,
            ...resolved(given, 400),
            createdBy: caller.id === null ? "the service's key" : caller.name,
        };
        if (!mayManage(caller, wanted)) {
            throw new RequestError(
                403,
                `${describeKey(caller)} can create only keys with its own scopes, domains and projects.`,
            );
        }
        try {
            const { key, secret } = await adminKeys.create(wanted, (each) => mayManage(caller, each));
            logger.info(`${describeKey(caller)} created key ${key.name} (${key.id}).`, { request });
            void reply.header("cache-control", "no-store");
            return { key: answerOf(key), secret };
        } catch (error) {
            throw error instanceof KeyNameTakenError ? new RequestError(409, error.message) : error;
        }
    },
});

const changeKey = route({
    at: "PATCH /v1/keys/:keyId",
    operation: "key-change",
    scopes: ["keys"],
    id: "changeKey",
    summary: "Change what an admin API key may do",
    request: { params: KeyParams, body: KeyChangesBody },
    answer: [200, "AdminKey", "The key with its new rights, which apply to its next request."],
    errors: [404, 409],
    handle: async ({ caller, params, body, id: request }, { adminKeys, clock, logger }) => {
        const { name, id, ...rights } = await expectKey(params.keyId, caller, adminKeys);
        const { expiresAt } = body;
        const given = {
            ...rights,
            domains: unlessEmpty(rights.domains),
            projects: unlessEmpty(rights.projects),
            ...body,
            expiresAt: expiresAt === undefined ? rights.expiresAt : readExpiry(expiresAt, clock),
        };
        // Together with rights that stay, the changes may make no sense.
        const wanted = { ...given, ...resolved(given, 409) };
        if (!mayManage(caller, wanted)) {
            throw new RequestError(403, `${describeKey(caller)} can give only its own rights to a key.`);
        }
        const changed = expectActive(id, await adminKeys.change(id, wanted));
        logger.info(`${describeKey(caller)} changed key ${name} (${id}).`, { request });
        return answerOf(changed);
    },
});

const rotateKey = route({
    at: "POST /v1/keys/:keyId/rotate",
    operation: "key-rotate",
    scopes: ["keys"],
    id: "rotateKey",
    summary: "Replace the secret of an admin API key",
    request: { params: KeyParams, querystring: RotateKeyQuery },
    answer: [200, "NewAdminKey", "The key with its new secret, which is shown only now."],
    errors: [404],
    handle: async ({ caller, params, query, id: request }, { adminKeys, logger }, reply) => {
        const { name, id } = await expectKey(params.keyId, caller, adminKeys);
        const graceMs = Number(query.graceSeconds ?? 0) * 1000;
        const rotated = expectActive(id, await adminKeys.rotate(id, graceMs));
        logger.info(`${describeKey(caller)} rotated key ${name} (${id}).`, { request });
        void reply.header("cache-control", "no-store");
        return { key: answerOf(rotated.key), secret: rotated.secret };
    },
});

const rotateLinkSecret = route({
    at: "POST /v1/link-secret/rotate",
    operation: "link-secret-rotate",
    scopes: ["keys"],
    id: "rotateLinkSecret",
    summary: "Replace the secret that signs bundle links and the sessions of people",
    request: { querystring: RotateLinkSecretQuery },
    answer: [200, "RotatedLinkSecret", "Links and sessions are signed with a new secret from now on."],
    handle: async ({ caller, query, id: request }, { linkSecrets, linkTtlSeconds, logger }) => {
        assertUnlimited(caller);
        // Other processes sign with the earlier secret for some seconds.
        const graceSeconds = Number(query.graceSeconds ?? linkTtlSeconds + 60);
        const validUntil = (await linkSecrets.rotate(graceSeconds * 1000)).toISOString();
        logger.info(
            `${describeKey(caller)} rotated the secret for links; the earlier one is valid until ${validUntil}.`,
            { request },
        );
        return { earlierValidUntil: validUntil };
    },
});

const revokeKey = route({
    at: "DELETE /v1/keys/:keyId",
    operation: "key-revoke",
    scopes: ["keys"],
    id: "revokeKey",
    summary: "Revoke an admin API key",
    request: { params: KeyParams },
    answer: [200, "AdminKey", "The key, which is no longer accepted."],
    errors: [404],
    handle: async ({ caller, params, id: request }, { adminKeys, logger }) => {
        const { name, id } = await expectKey(params.keyId, caller, adminKeys);
        const revoked = expectActive(id, await adminKeys.revoke({ id }));
        logger.info(`${describeKey(caller)} revoked key ${name} (${id}).`, { request });
        return answerOf(revoked);
    },
});

/** The operations on keys. A key manages only keys that may do no more than itself. */
export const keyRoutes = [whoAmI, listKeys, createKey, changeKey, rotateKey, rotateLinkSecret, revokeKey];

async function expectKey(keyId: string, caller: Caller, adminKeys: AdminKeys): Promise<AdminKey> {
    const key = await adminKeys.get(keyId);
    return expectActive(keyId, key?.revokedAt === null && mayManage(caller, key) ? key : undefined);
}

/** @throws RequestError if there is none: somebody may have revoked it meanwhile */
function expectActive<T>(keyId: string, found: T | undefined): T {
    if (found === undefined) {
        throw new RequestError(404, `There is no active key ${keyId}.`);
    }
    return found;
}

/** A key that has expired already is a mistake, such as another year or time zone. */
function readExpiry(expiresAt: string | null, clock: () => number): Date | null {
    const time = expiresAt === null ? null : new Date(expiresAt);
    if (time !== null && time.getTime() <= clock()) {
        throw new RequestError(
            400,
            `expiresAt must be in the future, but is ${expiresAt}. To end a key now, revoke it.`,
        );
    }
    return time;
}

/** A person needs one group that allows everything that the key allows. */
function mayManage({ grants, ...caller }: Caller, key: Grant): boolean {
    return (grants ?? [caller]).some((grant) => isWithin(grant, key));
}

function isWithin(caller: Grant, { scopes, domains, projects }: Grant): boolean {
    const contains = (
        own: readonly string[] | null,
        wanted: readonly string[] | null,
        isReached: (each: string) => boolean,
    ): boolean => own === null || (wanted?.every(isReached) ?? false);
    return (
        scopes.every((scope) => caller.scopes.includes(scope)) &&
        contains(caller.domains, domains, (each) => reachesDomain(caller.domains, each)) &&
        contains(caller.projects, projects, (each) => caller.projects?.includes(each) === true)
    );
}

/** A key that got domains only has an empty list of projects, and the other way round. */
function unlessEmpty(names: readonly string[] | null): readonly string[] | null {
    return names?.length === 0 ? null : names;
}

function resolved(wanted: Grant, status: 400 | 409): Omit<Grant, "scopes"> {
    try {
        return resolveReach(wanted);
    } catch (error) {
        throw error instanceof InvalidKeyError ? new RequestError(status, error.message) : error;
    }
}

function copyOf(names: readonly string[] | null): string[] | null {
    return names === null ? null : [...names];
}

function answerOf(key: AdminKey) {
    return {
        id: key.id,
        name: key.name,
        scopes: [...key.scopes],
        domains: copyOf(key.domains),
        projects: copyOf(key.projects),
        priority: key.priority,
        maxQueuedJobs: key.maxQueuedJobs,
        maxRunningJobs: key.maxRunningJobs,
        createdBy: key.createdBy,
        createdAt: key.createdAt.toISOString(),
        expiresAt: key.expiresAt?.toISOString() ?? null,
        revokedAt: key.revokedAt?.toISOString() ?? null,
        lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    };
}
