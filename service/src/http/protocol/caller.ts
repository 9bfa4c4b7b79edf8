import { type FastifyRequest } from "fastify";
import { type JobSummary, siteOf, type SiteJobKind } from "../../exports/site-job.js";
import { type AdminKey, type KeyRights, type KeyScope, keyScopes } from "../../keys/admin-keys.js";
import { reachesDomain } from "../../keys/key-reach.js";
import { aboutAttempt } from "../../jobs/attempts.js";
import { type AuditLog } from "../../history/audit-log.js";
import { type LogFields } from "../../shared/logger.js";
import { RequestError } from "./request-error.js";

/** What is allowed, and where. */
export type Grant = Pick<AdminKey, "scopes" | "domains" | "projects">;

/** Who sent a request, and what the key allows. */
export interface Caller extends Omit<
    AdminKey,
    "id" | "createdAt" | "createdBy" | "createdById" | "expiresAt" | "revokedAt" | "lastUsedAt"
> {
    /** The id of a key, or `user:` and the subject of a person; null for the service's own key. */
    id: string | null;
    /** Absent for a key that does not expire, and for a person. */
    expiresAt?: Date | null;
    /** The address of the person in front of a page; absent for a client of the API. */
    address?: string;
    /** The session of the person in front of a page; absent for a client of the API. */
    sessionId?: string;
    /** What each group of a person allows; the caller's own fields are the union. Absent for a key. */
    grants?: readonly Grant[];
}

/** Everything that one of the grants allows, somewhere. */
export function unionOf(grants: readonly Grant[]): Grant {
    const all = <T>(lists: readonly (readonly T[] | null)[]): readonly T[] | null =>
        lists.every((list) => list !== null) ? [...new Set(lists.flat())] : null;
    return {
        scopes: keyScopes.filter((scope) => grants.some(({ scopes }) => scopes.includes(scope))),
        domains: all(grants.map(({ domains }) => domains)),
        projects: all(grants.map(({ projects }) => projects)),
    };
}

/**
 * The caller where one of the scopes is allowed: a person may do different things in different places, and a caller
 * without any of the scopes reaches nothing.
 */
export function narrowedTo(scopes: readonly KeyScope[], caller: Caller): Caller {
    const allows = (grant: Grant): boolean => grant.scopes.some((scope) => scopes.includes(scope));
    if (caller.grants === undefined) {
        return allows(caller) ? caller : { ...caller, domains: [], projects: [] };
    }
    const grants = caller.grants.filter(allows);
    return { ...caller, ...unionOf(grants), grants };
}

/** One of these scopes is sufficient to see exports or updates, in the API, on pages and in events. */
export const scopesToSee: Readonly<Record<SiteJobKind, readonly KeyScope[]>> = {
    export: ["read", "export"],
    update: ["read", "export", "update"],
};

export function maySeeJob(caller: Caller, job: Pick<JobSummary, "kind" | "previewOf" | "domain">): boolean {
    return maySee(narrowedTo(scopesToSee[job.kind], caller), siteOf(job));
}

/** Whether a caller has a scope for a domain. */
export function mayUse(caller: Caller, scope: KeyScope, domain: string): boolean {
    return caller.scopes.includes(scope) && maySee(narrowedTo([scope], caller), domain);
}

/** The holder of the service's own key. */
export const operator: Caller = {
    id: null,
    name: "of the service",
    scopes: keyScopes,
    domains: null,
    projects: null,
};

export function maySee({ domains }: Caller, domain: string): boolean {
    return reachesDomain(domains, domain);
}

/** Whether a key may do nothing that the caller may not, and nowhere else: the caller sees it, and may revoke it. */
export function reaches({ grants, ...caller }: Caller, key: Grant): boolean {
    // A person needs one group that allows everything that the key allows.
    return (grants ?? [caller]).some((grant) => isWithin(grant, key));
}

/** Whether a caller may have a key with these rights, which does not expire later. */
export function mayManage(caller: Caller, key: KeyRights): boolean {
    const endOf = (expiresAt: Date | null | undefined): number => expiresAt?.getTime() ?? Infinity;
    return reaches(caller, key) && endOf(key.expiresAt) <= endOf(caller.expiresAt);
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

export function isPerson({ id }: Pick<Caller, "id">): boolean {
    return id?.startsWith("user:") === true;
}

/** An id as its owner knows it: that of a person is the identity provider's. */
export function shownIdOf(id: string): string {
    return isPerson({ id }) ? id.slice("user:".length) : id;
}

/** Identifies the key in the log with its id, because a new key may get the name of a revoked one. */
export function describeKey({ id, name }: Pick<Caller, "id" | "name">): string {
    if (id !== null && isPerson({ id })) {
        return `Person ${name} (${shownIdOf(id)})`;
    }
    return id === null ? `Key ${name}` : `Key ${name} (${id})`;
}

/** Who an entry of the audit log is about: the same name for a sign-in and for what the session does. */
export function actorOf({ id, name }: Pick<Caller, "id" | "name">) {
    return { actor: describeKey({ id, name }), actorId: id, actorName: name };
}

/** The scopes that a route accepts. */
export interface RouteAccess {
    /** One of these scopes is sufficient. */
    scopes?: readonly KeyScope[];
}

/** How messages to the caller begin. */
function subjectOf({ id, name }: Caller): string {
    return isPerson({ id }) ? `Your session (${name})` : `Admin API key ${name}`;
}

/** Names the domains and projects that a restricted key may access. */
export function describeReach(caller: Caller): string {
    const { domains, projects } = caller;
    const reach = [
        ...(domains?.length ? [`exports of ${domains.join(", ")}`] : []),
        ...(projects?.length ? [`agent jobs of ${projects.join(", ")}`] : []),
    ];
    return reach.length === 0
        ? `${subjectOf(caller)} has no domain and no project.`
        : `${subjectOf(caller)} is for ${reach.join(" and ")} only.`;
}

/** Whether the caller may see everything, and so the service itself. */
export function isUnlimited({ domains, projects }: Caller): boolean {
    return domains === null && projects === null;
}

/** @throws RequestError for a key that is limited to domains or projects */
export function assertUnlimited(caller: Caller): void {
    if (!isUnlimited(caller)) {
        throw new RequestError(403, describeReach(caller));
    }
}

/**
 * Why a request is refused; undefined if it is allowed.
 *
 * @param projectId - from the request's path
 */
export function findMissingAccess(
    caller: Caller,
    { scopes = [] }: RouteAccess,
    projectId: string | undefined,
): string | undefined {
    if (!scopes.some((scope) => caller.scopes.includes(scope))) {
        return (
            `${subjectOf(caller)} has the scopes ${caller.scopes.join(", ")}, but this request needs ` +
            `${scopes.join(" or ")}.`
        );
    }
    const narrowed = narrowedTo(scopes, caller);
    const isForProject = projectId === undefined || (narrowed.projects?.includes(projectId) ?? true);
    return isForProject ? undefined : describeReach(narrowed);
}

/** Records what a client did. @param job - the job that it was done to @param domain - the job's site */
export function logAct(
    audit: AuditLog,
    request: Pick<FastifyRequest, "id" | "ip" | "caller">,
    act: string,
    job?: string,
    domain?: string,
): void {
    const { caller } = request;
    audit.add({
        ...actorOf(caller),
        act,
        request: { id: request.id, ip: caller.address ?? request.ip },
        fields: {
            ...(job === undefined ? {} : aboutAttempt({ jobId: job, ...(domain === undefined ? {} : { domain }) })),
            ...aboutCaller(caller),
        },
    });
}

/** The log fields for the key that a request used. */
export function aboutCaller({ id, name }: Caller): LogFields {
    return { key: name, ...(id === null ? {} : { keyId: id }) };
}
