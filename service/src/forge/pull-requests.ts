import { bareAddress } from "./bare-address.js";
import { trimSlashes } from "@pulumi-static-export/contract";
import { ForgeClient, type ForgeClock } from "./forge-client.js";
import { ForgeError } from "./forge-error.js";
import { type Forge } from "./forge-address.js";

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

export function createPullRequests(options: PullRequestOptions | undefined, clock?: ForgeClock): OpenPullRequest {
    if (options === undefined) {
        return () => Promise.resolve(null);
    }
    if (options.kind === "link") {
        return ({ branch }) => Promise.resolve(pullRequestLink(options.template, branch));
    }
    const { kind } = options;
    return (request) => {
        const client = new ForgeClient({ ...options, kind, clock, signal: request.signal });
        return client.createOnce(() => (kind === "github" ? openAtGitHub : openAtGitLab)(client, request));
    };
}

/** The template with `{branch}` replaced; slashes in the branch are not encoded. */
export function pullRequestLink(template: string, branch: string): string {
    return template.replaceAll("{branch}", branch.split("/").map(encodeURIComponent).join("/"));
}

/** https://docs.github.com/en/rest/pulls/pulls */
function openAtGitHub(client: ForgeClient, request: PullRequest): Promise<string> {
    const { repository, branch, base, title, body } = request;
    const path = pathOf(repository);
    return openOnce(client, {
        path: `/repos/${path}/pulls`,
        query: { state: "open", head: `${path.split("/")[0]}:${branch}`, base },
        body: { title, body, head: branch, base },
        field: "html_url",
    });
}

/** https://docs.gitlab.com/api/merge_requests */
function openAtGitLab(client: ForgeClient, request: PullRequest): Promise<string> {
    const { repository, branch, base, title, body } = request;
    const branches = { source_branch: branch, target_branch: base };
    return openOnce(client, {
        path: `/projects/${encodeURIComponent(pathOf(repository))}/merge_requests`,
        query: { state: "opened", ...branches },
        body: { ...branches, title, description: body },
        field: "web_url",
    });
}

/** Finds the open pull request, or opens one. @returns its address */
async function openOnce(
    client: ForgeClient,
    { path, query, body, field }: { path: string; query: Record<string, string>; body: object; field: string },
): Promise<string> {
    const find = async (): Promise<unknown> =>
        firstOf((await client.request("GET", `${path}?${new URLSearchParams(query).toString()}`)).body);
    const create = async (): Promise<unknown> => {
        try {
            return (await client.request("POST", path, { body })).body;
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
    return linkOf((await find()) ?? (await create()), field);
}

function firstOf(answer: unknown): unknown {
    return Array.isArray(answer) ? (answer[0] as unknown) : undefined;
}

/** The address in normal form, without line breaks and escape sequences. */
function linkOf(answer: unknown, field: string): string {
    const link = (answer as Record<string, unknown> | null | undefined)?.[field];
    if (typeof link !== "string" || link.length > maxLinkCharacters || !/^https?:/.test(link) || !URL.canParse(link)) {
        throw new ForgeError(`The forge answered without ${field}, the address of the pull request.`);
    }
    return new URL(link).href;
}

/** `org/docs` of `https://git.example.com/org/docs.git`. */
function pathOf(repository: string): string {
    return trimSlashes(bareAddress(new URL(repository).pathname));
}
