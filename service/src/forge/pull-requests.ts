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

/** The pull requests of branches. */
export interface PullRequests {
    /**
     * Returns the address of a branch's pull request; repeated calls for the same branch return the same one.
     *
     * @param onCreate - called before a new pull request may exist
     * @throws ForgeError
     */
    open(request: PullRequest, onCreate?: () => void): Promise<string | null>;
    /**
     * Closes the open pull request of a branch, if there is one.
     *
     * @returns its address
     * @throws ForgeError
     */
    close(request: Omit<PullRequest, "title" | "body">): Promise<string | undefined>;
}

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
    number: unknown;
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
    /** The method and the body that close a pull request. */
    closing: readonly [method: string, body: object];
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
    closing: ["PATCH", { state: "closed" }],
    describe: (answer, path) => {
        const { head, base } = answer as { head?: GitHubBranch | null; base?: GitHubBranch | null };
        // The repository of a branch is null if it was removed. Paths differ only by case after a renaming.
        const isOwn = head?.repo?.full_name?.toLowerCase() === path.toLowerCase();
        const { html_url: link, number } = answer;
        return { link, number, branch: head?.ref, base: base?.ref, isOwn };
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
    closing: ["PUT", { state_event: "close" }],
    describe: ({ web_url, iid, source_branch, target_branch, source_project_id, target_project_id }) => ({
        link: web_url,
        number: iid,
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

export function createPullRequests(options: PullRequestOptions | undefined, clock?: ForgeClock): PullRequests {
    if (options === undefined || options.kind === "link") {
        const link = (branch: string) => (options === undefined ? null : pullRequestLink(options.template, branch));
        return { open: ({ branch }) => Promise.resolve(link(branch)), close: () => Promise.resolve(undefined) };
    }
    const { kind } = options;
    const api = apis[kind];
    const connect = ({ repository, signal }: Pick<PullRequest, "repository" | "signal">) => ({
        client: new ForgeClient({ ...options, kind, clock, signal, advice }),
        path: pathOnForge(options, repository),
    });
    return {
        open: (request, onCreate = () => undefined) => {
            const { client, path } = connect(request);
            return client.createOnce(() => openOnce(client, api, path, request, onCreate));
        },
        close: async (request) => {
            const { client, path } = connect(request);
            const { found, currentPath } = await findWhereItIs(client, api, path, request);
            if (found === undefined) {
                return undefined;
            }
            const [method, body] = api.closing;
            const number = Number(found.number);
            if (!Number.isSafeInteger(number)) {
                throw new ForgeError("The forge answered without the number of the pull request: check --agent-forge.");
            }
            await client.request(method, `${api.repository(currentPath)}/${api.pullRequests}/${number}`, { body });
            return linkOf(found, api.linkField);
        },
    };
}

/** The template with `{branch}` replaced; slashes in the branch are not encoded. */
export function pullRequestLink(template: string, branch: string): string {
    return template.replaceAll("{branch}", branch.split("/").map(encodeURIComponent).join("/"));
}

/** Finds the open pull request of the branch, or opens one. @returns its address */
async function openOnce(
    client: ForgeClient,
    api: PullRequestApi,
    path: string,
    request: PullRequest,
    onCreate: () => void,
): Promise<string> {
    const { branch, base } = request;
    const { found, currentPath } = await findWhereItIs(client, api, path, request);
    const create = async (): Promise<Described> => {
        try {
            onCreate();
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
            const opened = isPerhapsOpen ? await findOpen(client, api, currentPath, request) : undefined;
            if (opened === undefined) {
                throw error;
            }
            return opened;
        }
    };
    return linkOf(found ?? (await create()), api.linkField);
}

/** The open pull request of the branch, and the current path of its repository, which may have moved. */
async function findWhereItIs(
    client: ForgeClient,
    api: PullRequestApi,
    path: string,
    request: Pick<PullRequest, "branch" | "base">,
): Promise<{ found: Described | undefined; currentPath: string }> {
    try {
        return { found: await findOpen(client, api, path, request), currentPath: path };
    } catch (error) {
        const isRedirected = error instanceof ForgeError && redirectStatuses.includes(error.status ?? 0);
        const currentPath = isRedirected ? await findPath(client, api, path) : undefined;
        if (currentPath === undefined) {
            throw error;
        }
        return { found: await findOpen(client, api, currentPath, request), currentPath };
    }
}

/**
 * The open pull request of the branch, into another branch only if somebody has changed the target. Forges that do not
 * know a filter ignore it, so the branches of each answer are compared.
 */
async function findOpen(
    client: ForgeClient,
    api: PullRequestApi,
    path: string,
    { branch, base }: Pick<PullRequest, "branch" | "base">,
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
