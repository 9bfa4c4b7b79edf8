import { ForgeClient, type ForgeClock } from "./forge-client.js";
import { ForgeError } from "./forge-error.js";
import { type Forge } from "./forge-address.js";

/** The change for which to open a pull request. */
export interface PullRequest {
    repository: string;
    /** The branch with the change. */
    branch: string;
    /** The branch to merge it into. */
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

/** Browsers accept no longer ones. */
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
async function openAtGitHub(client: ForgeClient, request: PullRequest): Promise<string> {
    const { repository, branch, base, title, body } = request;
    const path = pathOf(repository);
    const pulls = `/repos/${path}/pulls`;
    const head = `${path.split("/")[0]}:${branch}`;
    const query = new URLSearchParams({ state: "open", head, base });
    const open = await client.request("GET", `${pulls}?${query.toString()}`);
    const found =
        firstOf(open.body) ?? (await client.request("POST", pulls, { body: { title, body, head: branch, base } })).body;
    return linkOf(found, "html_url");
}

/** https://docs.gitlab.com/api/merge_requests */
async function openAtGitLab(client: ForgeClient, request: PullRequest): Promise<string> {
    const { repository, branch, base, title, body } = request;
    const requests = `/projects/${encodeURIComponent(pathOf(repository))}/merge_requests`;
    const query = new URLSearchParams({ state: "opened", source_branch: branch, target_branch: base });
    const open = await client.request("GET", `${requests}?${query.toString()}`);
    const wanted = { source_branch: branch, target_branch: base, title, description: body };
    const found = firstOf(open.body) ?? (await client.request("POST", requests, { body: wanted })).body;
    return linkOf(found, "web_url");
}

function firstOf(answer: unknown): unknown {
    return Array.isArray(answer) ? (answer[0] as unknown) : undefined;
}

/** The address in the form that URLs have: without line breaks and escape sequences. */
function linkOf(answer: unknown, field: string): string {
    const link = (answer as Record<string, unknown> | null | undefined)?.[field];
    if (typeof link !== "string" || link.length > maxLinkCharacters || !/^https?:/.test(link) || !URL.canParse(link)) {
        throw new ForgeError(`The forge answered without ${field}, the address of the pull request.`);
    }
    return new URL(link).href;
}

/** `org/docs` of `https://git.example.com/org/docs.git`. */
function pathOf(repository: string): string {
    return new URL(repository).pathname.replace(/^\/+|\/+$|\.git\/*$/g, "").replace(/\/+$/, "");
}
