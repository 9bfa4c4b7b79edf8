import { type JobOwner } from "../../exports/static-export-store.js";
import { type AdminKey, type KeyScope, keyScopes } from "../../keys/admin-keys.js";

/** Who sent a request, and what the key allows. */
export interface Caller extends Omit<AdminKey, "id" | "createdAt" | "expiresAt" | "revokedAt"> {
    /** Null for the key that the service was started with. */
    id: string | null;
}

/** The holder of the key that the service was started with. */
export const operator: Caller = {
    id: null,
    name: "of the service",
    scopes: keyScopes,
    domains: null,
    projects: null,
    priority: "normal",
    maxQueuedJobs: null,
    maxRunningJobs: null,
};

/** How the jobs of a caller wait. */
export function ownerOf({ id, priority, maxRunningJobs }: Caller): JobOwner {
    return { queuedBy: id, priority, maxRunningJobs };
}

export function maySee({ domains }: Caller, domain: string): boolean {
    return domains?.includes(domain) ?? true;
}

/** Identifies the key in the log: another key may get the name of one that was revoked. */
export function describeKey({ id, name }: Caller): string {
    return id === null ? `Key ${name}` : `Key ${name} (${id})`;
}

/** The permissions that a route requires. */
export interface RouteAccess {
    /** One of these scopes is enough. */
    scopes?: readonly KeyScope[];
}

/** Describes what a restricted key is for. */
export function describeReach({ name, domains, projects }: Caller): string {
    const reach = [
        ...(domains?.length ? [`exports of ${domains.join(", ")}`] : []),
        ...(projects?.length ? [`agent jobs of ${projects.join(", ")}`] : []),
    ];
    return `Admin API key ${name} is for ${reach.join(" and ")} only.`;
}

/**
 * Why a request is refused; undefined if it is allowed.
 *
 * @param projectId - of the request's path
 */
export function findMissingAccess(
    caller: Caller,
    { scopes = [] }: RouteAccess,
    projectId: string | undefined,
): string | undefined {
    const { name, projects } = caller;
    if (!scopes.some((scope) => caller.scopes.includes(scope))) {
        return `Admin API key ${name} has the scopes ${caller.scopes.join(", ")}, and this needs ${scopes.join(" or ")}.`;
    }
    const isForProject = projectId === undefined || (projects?.includes(projectId) ?? true);
    return isForProject ? undefined : describeReach(caller);
}
