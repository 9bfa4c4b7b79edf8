import { bareAddress } from "../../forge/bare-address.js";
import { canonicalDomain } from "@pulumi-static-export/contract";
import { type AgentProject } from "../../agents/agent-job-store.js";
import { type Site } from "../../exports/site.js";
import { type Caller, maySee } from "../protocol/caller.js";
import { RequestError } from "../protocol/request-error.js";

export interface UpdateProjects {
    /** By canonical domain. */
    sites: ReadonlyMap<string, Site>;
    /** The projects of agent jobs, by id. */
    projects: ReadonlyMap<string, AgentProject>;
}

/**
 * Finds the domain for a project. The project's id is the domain itself, or the id of an agent project with the same
 * repository and branch.
 *
 * @throws RequestError that names the projects of the caller's key
 */
export function findDomainOfProject(projectId: string, caller: Caller, { sites, projects }: UpdateProjects): string {
    const reachable = new Map<string, string[]>();
    for (const domain of sites.keys()) {
        if (maySee(caller, domain)) {
            reachable.set(domain, [domain]);
        }
    }
    for (const [id, project] of projects) {
        const domains = [...sites]
            .filter(([domain, site]) => mayUpdate(caller, domain) && isSameRepository(site, project))
            .map(([domain]) => domain);
        const isReachable = caller.projects?.includes(id) ?? true;
        if (isReachable && domains.length > 0 && !reachable.has(id)) {
            reachable.set(id, domains);
        }
    }
    const [domain, ...others] = reachable.get(projectId) ?? reachable.get(canonicalDomain(projectId)) ?? [];
    if (domain === undefined) {
        const known = [...reachable.keys()].join(", ") || "none";
        throw new RequestError(
            404,
            `There is no project ${projectId} that this key can update. The key can update: ${known}.`,
        );
    }
    const project = projects.get(projectId);
    const source = sites.get(domain)?.source;
    if (
        projectId !== domain &&
        project?.ref !== undefined &&
        typeof source === "object" &&
        source.branch === undefined
    ) {
        throw new RequestError(
            400,
            `Project ${projectId} uses branch ${project.ref} of its repository, and site ${domain} names no branch, ` +
                `so its branch may be another one: name the site's branch (git+${source.url}#${project.ref}), or ` +
                `start the update of ${domain}.`,
        );
    }
    if (others.length > 0) {
        const domains = [domain, ...others].join(", ");
        throw new RequestError(
            400,
            `Several sites have the repository of project ${projectId}: name one of ${domains}.`,
        );
    }
    return domain;
}

/** A key without domains may update the sites of its projects; a key with domains only these, also by a project. */
function mayUpdate(caller: Caller, domain: string): boolean {
    return caller.domains?.length === 0 || maySee(caller, domain);
}

function isSameRepository({ source }: Site, { repository, ref }: AgentProject): boolean {
    if (typeof source === "string" || bareAddress(source.url) !== bareAddress(repository)) {
        return false;
    }
    return ref === undefined || source.branch === undefined || ref === source.branch;
}
