import { beginningOf, canonicalDomain, domainPattern, isDomain } from "@pulumi-static-export/contract";
import { toOneLine } from "@pulumi-static-export/exporter";
import { type KeyRights, type NewAdminKey } from "./admin-keys.js";

/** A domain, or `*.` and a domain, which means every host below it. */
export const reachPattern = domainPattern.replace("^(?=.{1,253}$)", "^(?=.{1,255}$)(\\*\\.)?");

/** Whether a key that is valid for `reach` is valid for a domain, too; or for all domains of a pattern. */
export function reachesDomain(reach: readonly string[] | null, domain: string): boolean {
    return (
        reach === null ||
        reach.some((each) => each === domain || (each.startsWith("*.") && domain.endsWith(each.slice(1))))
    );
}

const maxReachCharacters = 500;

/** Lists the domains and projects of a key. Null means everything, and an empty list nothing. */
export function listReach({ domains, projects }: Pick<KeyRights, "domains" | "projects">): string {
    const reach = [...(domains ?? []), ...(projects ?? []).map((id) => `project ${id}`)];
    const none = domains === null && projects === null ? "everything" : "nothing";
    return reach.length === 0 ? none : reach.join(", ");
}

/** Describes the rights of a key for the audit log. */
export function describeRights({ scopes, expiresAt, ...reach }: KeyRights): string {
    const until = expiresAt === null ? "without an expiry" : `until ${expiresAt.toISOString()}`;
    return `${scopes.join(", ")} for ${beginningOf(toOneLine(listReach(reach)), maxReachCharacters)}, ${until}`;
}

/** A key that could never be used as wanted; the message says why. */
export class InvalidKeyError extends Error {
    override readonly name = "InvalidKeyError";
}

/** A key with domains or projects is valid only for those domains or projects. @throws InvalidKeyError */
export function resolveReach({
    scopes,
    domains,
    projects,
}: Pick<NewAdminKey, "scopes" | "domains" | "projects">): Pick<NewAdminKey, "domains" | "projects"> {
    if (domains === null && projects === null) {
        return { domains, projects };
    }
    if (projects === null && scopes.includes("agent")) {
        throw new InvalidKeyError(
            "A key that is limited to domains cannot reach agent jobs: name its projects, too, or leave out the scope agent.",
        );
    }
    if (domains === null && scopes.includes("export")) {
        throw new InvalidKeyError(
            "A key that is limited to projects cannot reach exports: name its domains, too, or leave out the scope export.",
        );
    }
    const unknown = domains?.find((domain) => !isDomain(domain.replace(/^\*\./, "")));
    if (unknown !== undefined) {
        throw new InvalidKeyError(`"${unknown}" is not a domain such as docs.example.com or *.example.com.`);
    }
    return { domains: domains?.map((domain) => canonicalDomain(domain)) ?? [], projects: projects ?? [] };
}
