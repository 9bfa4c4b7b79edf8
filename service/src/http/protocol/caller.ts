import { type AdminKey, type KeyScope, keyScopes } from "../../store/admin-keys.js";

/** Who sent a request, and what the key allows. */
export type Caller = Pick<AdminKey, "name" | "scopes" | "domains">;

/** The holder of the key that the service was started with. */
export const operator: Caller = { name: "of the service", scopes: keyScopes, domains: null };

export function maySee({ domains }: Caller, domain: string): boolean {
    return domains?.includes(domain) ?? true;
}

/** What a route needs. */
export interface RouteAccess {
    /** One of these scopes is enough. */
    scopes?: readonly KeyScope[];
    /** Whether its objects have no domain, so that keys of certain domains do not reach them. @default false */
    ofAllDomains?: boolean;
}

/** Why a request is refused; undefined if it is allowed. */
export function findMissingScope(
    caller: Caller,
    { scopes = [], ofAllDomains = false }: RouteAccess,
): string | undefined {
    const { name, domains } = caller;
    if (!scopes.some((scope) => caller.scopes.includes(scope))) {
        return `Admin API key ${name} has the scopes ${caller.scopes.join(", ")}, and this needs ${scopes.join(" or ")}.`;
    }
    return ofAllDomains && domains !== null
        ? `Admin API key ${name} is for exports of ${domains.join(", ")} only.`
        : undefined;
}
