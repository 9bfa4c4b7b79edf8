import { type Forge, pathOnForge } from "./forge-address.js";
import { ForgeClient, type ForgeClock, redirectStatuses } from "./forge-client.js";
import { ForgeError } from "./forge-error.js";
import { type ForgeKind } from "./forge-kinds.js";
import { movedAdvice } from "./moved-advice.js";

/** The change for which to open a pull request. */
export interface PullRequest {
    repository: string;
    /** The branch with the change. */
    branch: string;
    /** The branch to merge the change into. */
    base: string;
    title: string;
    body: string;
    /** Ends the requests. */
    signal?: AbortSignal | undefined;
}

/**
 * Returns the address of a branch's pull request; repeated calls for the same branch return the same one.
 *
 * @throws ForgeError
 */
export type OpenPullRequest = (request: PullRequest) => Promise<string | null>;

/** How pull requests are opened. */
export type PullRequestOptions = { kind: "link"; template: string } | Forge;

/** Browsers do not accept longer links. */
const maxLinkCharacters = 2000;
const pageSize = 50;
/** For forges that cannot filter by branch. */
const maxPages = 100;

const archivedAdvice = "The repository may be archived, or the token must not open pull requests there.";
const advice: Readonly<Record<number, string>> = {
    ...Object.fromEntries(redirectStatuses.map((status) => [status, movedAdvice("--agent-project")])),
    401: "The token in the variable that --agent-forge-token-env names is wrong or has expired.",
    403: archivedAdvice,
    404: "Check the address in --agent-project, and that the token has access to that repository.",
    // Gitea's and Forgejo's answer for archived repositories.
    423: archivedAdvice,
};

/** A pull request, as its forge describes it. */
interface Described {
    link: unknown;
    branch: unknown;
    base: unknown;
    /** Whether the branch is in the repository itself, instead of in a fork. */
    isOwn: boolean;
}

/** The parts in which the APIs of forges differ. @param path - of a repository, such as `org/docs` */
interface PullRequestApi {
    repository(path: string): string;
    /** The field of a repository with its current path. */
    pathField: string;
    pullRequests: string;
    /** Selects the open pull requests of a branch, or all open ones if the forge has no such filter. */
    query(path: string, branch: string): Record<string, string>;
    body(request: PullRequest): object;
    describe(answer: Record<string, unknown>, path: string): Described;
    /** The field with the address. */
    linkField: string;
}

/** https://docs.github.com/en/rest/pulls/pulls */
const gitHub: PullRequestApi = {
    repository: (path) => `/repos/${path}`,
    pathField: "full_name",
    pullRequests: "pulls",
    query: (path, branch) => ({
        state: "open",
        head: `${path.split("/")[0]}:${branch}`,
        per_page: String(pageSize),
    }),
    body: ({ title, body, branch, base }) => ({ title, body, head: branch, base }),
    describe: (answer, path) => {
        const { head, base } = answer as { head?: GitHubBranch | null; base?: GitHubBranch | null };
        // The repository of a branch is null if it was removed. Paths differ only by case after a renaming.
        const isOwn = head?.repo?.full_name?.toLowerCase() === path.toLowerCase();
        return { link: answer["html_url"], branch: head?.ref, base: base?.ref, isOwn };
    },
    linkField: "html_url",
};

interface GitHubBranch {
    ref?: string;
    repo?: { full_name?: string } | null;
}

/** https://docs.gitlab.com/api/merge_requests */
const gitLab: PullRequestApi = {
    repository: (path) => `/projects/${encodeURIComponent(path)}`,
    pathField: "path_with_namespace",
    pullRequests: "merge_requests",
    query: (_path, branch) => ({ state: "opened", source_branch: branch, per_page: String(pageSize) }),
    body: ({ title, body, branch, base }) => ({
        source_branch: branch,
        target_branch: base,
        title,
        description: body,
    }),
    describe: ({ web_url, source_branch, target_branch, source_project_id, target_project_id }) => ({
        link: web_url,
        branch: source_branch,
        base: target_branch,
        isOwn: source_project_id === target_project_id,
    }),
    linkField: "web_url",
};

/** https://docs.gitea.com/api: GitHub's fields, without a filter by branch. Forgejo's API is the same. */
const gitea: PullRequestApi = {
    ...gitHub,
    query: () => ({ state: "open", limit: String(pageSize) }),
};

const apis: Readonly<Record<ForgeKind, PullRequestApi>> = {
    github: gitHub,
    gitlab: gitLab,
    gitea,
    forgejo: gitea,
};

export function createPullRequests(options: PullRequestOptions | undefined, clock?: ForgeClock): OpenPullRequest {
    if (options === undefined) {
        return () => Promise.resolve(null);
    }
    if (options.kind === "link") {
        return ({ branch }) => Promise.resolve(pullRequestLink(options.template, branch));
    }
    const { kind } = options;
    return (request) => {
        const client = new ForgeClient({ ...options, kind, clock, signal: request.signal, advice });
        const path = pathOnForge(options, request.repository);
        return client.createOnce(() => openOnce(client, apis[kind], path, request));
    };
}

/** The template with `{branch}` replaced; slashes in the branch are not encoded. */
export function pullRequestLink(template: string, branch: string): string {
    return template.replaceAll("{branch}", branch.split("/").map(encodeURIComponent).join("/"));
}

/** Finds the open pull request of the branch, or opens one. @returns its address */
async function openOnce(client: ForgeClient, api: PullRequestApi, path: string, request: PullRequest): Promise<string> {
    const { branch, base } = request;
    let currentPath = path;
    const find = (): Promise<Described | undefined> => findOpen(client, api, currentPath, request);
    const create = async (): Promise<Described> => {
        try {
            const { body } = await client.request("POST", `${api.repository(currentPath)}/${api.pullRequests}`, {
                body: api.body(request),
            });
            const opened = describe(api, body, currentPath);
            if (!opened.isOwn || opened.branch !== branch || opened.base !== base) {
                throw new ForgeError(
                    `The forge answered with a pull request that does not merge ${branch} into ${base}: check the kind ` +
                        "of forge in --agent-forge.",
                );
            }
            return opened;
        } catch (error) {
            // Forges answer with this status when another run has just opened the pull request, but also when they
            // refuse a request.
            const isPerhapsOpen = error instanceof ForgeError && [409, 422].includes(error.status ?? 0);
            const opened = isPerhapsOpen ? await find() : undefined;
            if (opened === undefined) {
                throw error;
            }
            return opened;
        }
    };
    const found = await find().catch(async (error: unknown) => {
        if (!(error instanceof ForgeError) || !redirectStatuses.includes(error.status ?? 0)) {
            throw error;
        }
        const newPath = await findPath(client, api, path);
        if (newPath === undefined) {
            throw error;
        }
        currentPath = newPath;
        return find();
    });
    return linkOf(found ?? (await create()), api.linkField);
}

/**
 * The open pull request of the branch, into another branch only if somebody has changed the target. Forges that do not
 * know a filter ignore it, so the branches of each answer are compared.
 */
async function findOpen(
    client: ForgeClient,
    api: PullRequestApi,
    path: string,
    { branch, base }: PullRequest,
): Promise<Described | undefined> {
    const own: Described[] = [];
    for (let page = 1; page <= maxPages; page += 1) {
        const query = new URLSearchParams({ ...api.query(path, branch), page: String(page) });
        const { body } = await client.request("GET", `${api.repository(path)}/${api.pullRequests}?${String(query)}`);
        if (!Array.isArray(body)) {
            throw new ForgeError("The forge answered without a list of pull requests: check --agent-forge.");
        }
        own.push(
            ...body
                .map((entry: unknown) => describe(api, entry, path))
                .filter((each) => each.isOwn && each.branch === branch),
        );
        if (body.length === 0 || own.some((each) => each.base === base)) {
            break;
        }
    }
    return own.find((each) => each.base === base) ?? own[0];
}

/** The current path of a repository that was renamed or moved. */
async function findPath(client: ForgeClient, api: PullRequestApi, path: string): Promise<string | undefined> {
    const { body } = await client.request("GET", api.repository(path), { isFollowing: true });
    const current = (body as Record<string, unknown> | null | undefined)?.[api.pathField];
    return typeof current === "string" &&
        /^[\w.-]+(?:\/[\w.-]+)+$/.test(current) &&
        !/(?:^|\/)\.{1,2}(?:\/|$)/.test(current)
        ? current
        : undefined;
}

function describe(api: PullRequestApi, answer: unknown, path: string): Described {
    return api.describe((answer ?? {}) as Record<string, unknown>, path);
}

/** The address in normal form, without line breaks and escape sequences. */
function linkOf({ link }: Described, field: string): string {
    if (typeof link !== "string" || link.length > maxLinkCharacters || !/^https?:/.test(link) || !URL.canParse(link)) {
        throw new ForgeError(`The forge answered without ${field}, the address of the pull request.`);
    }
    return new URL(link).href;
}
