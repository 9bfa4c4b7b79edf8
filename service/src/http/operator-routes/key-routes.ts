import { type Static } from "typebox";
import { type AuditLog } from "../../history/audit-log.js";
import { type IdempotencyKeys } from "../../jobs/idempotency-keys.js";
import { type AdminKey, type AdminKeys, KeyNameTakenError, keyScopes, type KeyRights } from "../../keys/admin-keys.js";
import { describeRights, InvalidKeyError, reachesDomain, resolveReach } from "../../keys/key-reach.js";
import { type LinkSecrets } from "../../keys/link-secrets.js";
import { assertUnlimited, describeKey, type Grant, logAct, mayManage, reaches } from "../protocol/caller.js";
import {
    KeyChangesBody,
    KeyParams,
    NewKeyBody,
    RevokeKeyQuery,
    RotateKeyQuery,
    RotateLinkSecretQuery,
} from "../protocol/operator-requests.js";
import { RequestError } from "../protocol/request-error.js";
import { routesOf } from "../protocol/route.js";
import { startAnswerHeaders, StartHeaders } from "../protocol/schemas.js";
import { actOnce, actUnchanged } from "../routes/start-once.js";
import { answerOf, copyOf, expectActive, expectKey, expectManaged, expectSeen } from "./key-access.js";
import { findPreviewedSite, type PreviewDomains } from "../../updates/previews.js";

interface KeyRoutesOptions {
    adminKeys: AdminKeys;
    /** The keys of requests that are sent again. */
    keys: IdempotencyKeys;
    linkSecrets: Pick<LinkSecrets, "rotate">;
    /** How long a bundle link works. */
    linkTtlSeconds: number;
    clock: () => number;
    audit: AuditLog;
    /** The sites of the service, by canonical domain. */
    sites: ReadonlyMap<string, unknown>;
    previewDomains: PreviewDomains;
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

const createKey = route({
    at: "POST /v1/keys",
    operation: "key-create",
    scopes: ["keys"],
    id: "createKey",
    summary: "Create an admin API key",
    request: { body: NewKeyBody },
    answer: [201, "NewAdminKey", "The key, which is shown only now."],
    errors: [409],
    handle: async (request, { adminKeys, keys, clock, audit, sites, previewDomains }) => {
        const { caller, body } = request;
        const given = {
            ...body,
            domains: body.domains ?? null,
            projects: body.projects ?? null,
            // The key inherits an expiry that the request leaves out.
            expiresAt: body.expiresAt === undefined ? (caller.expiresAt ?? null) : readExpiry(body.expiresAt, clock),
        };
        const wanted = {
            ...given,
            ...resolved(given, 400),
            createdBy: caller.id === null ? "the service's key" : caller.name,
            createdById: caller.id,
        };
        if (!mayManage(caller, wanted)) {
            throw new RequestError(
                403,
                `${describeKey(caller)} can create only keys with its own scopes, domains and projects, which expire no ` +
                    "later than itself.",
            );
        }
        try {
            const { key, secret } = await actUnchanged(keys, caller, (transaction) =>
                adminKeys.create(wanted, (each) => reaches(caller, each), transaction),
            );
            logAct(audit, request, `created key ${key.name} (${key.id}): ${describeRights(key)}`);
            const known = [...sites.keys(), ...[...previewDomains.values()].map((below) => `branch.${below}`)];
            return { key: answerOf(key), secret, ...hintOf(key, known, previewDomains) };
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
    request: { params: KeyParams, headers: StartHeaders, body: KeyChangesBody },
    answer: [200, "AdminKey", "The key with its new rights, which apply to its next request.", startAnswerHeaders],
    errors: [404, 409, 422],
    handle: async (request, { adminKeys, keys, clock, audit }, reply) => {
        const { caller, params, body } = request;
        if (params.keyId === caller.id) {
            throw new RequestError(403, `${describeKey(caller)} cannot change itself: use another key.`);
        }
        let changed: AdminKey | undefined;
        const what = { reply, key: request.headers["idempotency-key"], scope: `key-change ${params.keyId}` };
        await actOnce(keys, { ...what, started: body }, async (transaction) => {
            const { id, ...rights } = await expectManaged(params.keyId, caller, adminKeys, transaction);
            const wanted = wantedRights(rights, body, clock);
            if (!mayManage(caller, wanted)) {
                throw new RequestError(
                    403,
                    `${describeKey(caller)} can give only its own rights to a key, and no later expiry.`,
                );
            }
            changed = expectActive(id, await adminKeys.change(id, wanted, transaction));
            return id;
        });
        if (changed !== undefined) {
            logAct(audit, request, `changed key ${changed.name} (${changed.id}): ${describeRights(changed)}`);
        }
        return answerOf(changed ?? (await expectSeen(params.keyId, caller, adminKeys)));
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
    handle: async (request, { adminKeys, keys, audit }) => {
        const { caller, params, query } = request;
        const graceMs = Number(query.graceSeconds ?? 0) * 1000;
        const { key, secret } = await actUnchanged(keys, caller, async (transaction) => {
            const { id } = await expectManaged(params.keyId, caller, adminKeys, transaction);
            return expectActive(id, await adminKeys.rotate(id, graceMs, transaction));
        });
        logAct(audit, request, `rotated key ${key.name} (${key.id})`);
        return { key: answerOf(key), secret };
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
    handle: async (request, { linkSecrets, linkTtlSeconds, audit }) => {
        const { caller, query } = request;
        assertUnlimited(caller);
        // Other processes sign with the earlier secret for some seconds.
        const graceSeconds = Number(query.graceSeconds ?? linkTtlSeconds + 60);
        const validUntil = (await linkSecrets.rotate(graceSeconds * 1000)).toISOString();
        logAct(audit, request, `rotated the secret for links. The earlier one is valid until ${validUntil}`);
        return { earlierValidUntil: validUntil };
    },
});

const revokeKey = route({
    at: "DELETE /v1/keys/:keyId",
    operation: "key-revoke",
    scopes: ["keys"],
    id: "revokeKey",
    summary: "Revoke an admin API key",
    request: { params: KeyParams, headers: StartHeaders, querystring: RevokeKeyQuery },
    answer: [200, "AdminKey", "The key, which is no longer accepted.", startAnswerHeaders],
    errors: [404, 422],
    handle: async (request, { adminKeys, keys, audit }, reply) => {
        const { caller, params, query } = request;
        let revoked: AdminKey[] = [];
        const what = { reply, key: request.headers["idempotency-key"], scope: `key-revoke ${params.keyId}` };
        await actOnce(keys, { ...what, started: query }, async (transaction) => {
            const { id } = await expectKey(params.keyId, caller, adminKeys, transaction);
            const made = query.created === undefined ? [] : await adminKeys.madeBy(id, transaction);
            revoked = [expectActive(id, await adminKeys.revoke(id, transaction))];
            for (const key of made.filter((each) => reaches(caller, each))) {
                revoked.push(expectActive(key.id, await adminKeys.revoke(key.id, transaction)));
            }
            return id;
        });
        // A repeated request finds nothing to log, so nothing that can fail comes first.
        for (const { id, name } of revoked) {
            const why = id === revoked[0]?.id ? "" : `, which key ${revoked[0]?.name} (${revoked[0]?.id}) had created`;
            logAct(audit, request, `revoked key ${name} (${id})${why}`);
        }
        return answerOf(await expectSeen(params.keyId, caller, adminKeys));
    },
});

/** The operations that change keys. A key manages only keys that may do no more than itself, and never itself. */
export const keyRoutes = [whoAmI, createKey, changeKey, rotateKey, rotateLinkSecret, revokeKey];

/** The rights of a key after a change. */
function wantedRights(rights: KeyRights, changes: Static<typeof KeyChangesBody>, clock: () => number) {
    const { expiresAt } = changes;
    const given = {
        ...rights,
        ...withoutFiller(rights),
        ...changes,
        expiresAt: expiresAt === undefined ? rights.expiresAt : readExpiry(expiresAt, clock),
    };
    // Together with rights that stay, the changes may make no sense.
    return { ...given, ...resolved(given, 409) };
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

/**
 * A key that got domains only has an empty list of projects, and the other way round. A key with two empty lists
 * reaches nothing, and keeps them.
 */
function withoutFiller({ domains, projects }: Pick<Grant, "domains" | "projects">) {
    const kept = (own = domains, others = projects) => (own?.length === 0 && others?.length !== 0 ? null : own);
    return { domains: kept(), projects: kept(projects, domains) };
}

function resolved(wanted: Grant, status: 400 | 409): Omit<Grant, "scopes"> {
    try {
        return resolveReach(wanted);
    } catch (error) {
        throw error instanceof InvalidKeyError ? new RequestError(status, error.message) : error;
    }
}

/** An unknown domain is accepted with a hint, because its site may follow. */
function hintOf(key: Grant, known: readonly string[], previewDomains: PreviewDomains): { hint?: string } {
    const isKnown = (reach: string): boolean =>
        known.some((domain) => reachesDomain([reach], domain)) ||
        findPreviewedSite(reach, previewDomains) !== undefined;
    const unknown = (key.domains ?? []).filter((reach) => !isKnown(reach));
    return unknown.length === 0 ? {} : { hint: `No site of this service has the domain ${unknown.join(" or ")} now.` };
}
