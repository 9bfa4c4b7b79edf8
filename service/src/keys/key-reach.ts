import { canonicalDomain, isDomain } from "@pulumi-static-export/contract";
import { type NewAdminKey } from "./admin-keys.js";

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
    const unknown = domains?.find((domain) => !isDomain(domain));
    if (unknown !== undefined) {
        throw new InvalidKeyError(`"${unknown}" is not a domain such as docs.example.com.`);
    }
    return { domains: domains?.map((domain) => canonicalDomain(domain)) ?? [], projects: projects ?? [] };
}
