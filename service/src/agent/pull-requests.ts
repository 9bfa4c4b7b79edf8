/** The change for which to open a pull request. */
export interface PullRequest {
    repository: string;
    /** The branch with the change. */
    branch: string;
    /** The branch to merge it into. */
    base: string;
    title: string;
    body: string;
}

/** Returns the address of a branch's pull request; repeated calls for the same branch return the same one. */
export type OpenPullRequest = (request: PullRequest) => Promise<string | null>;

/** How pull requests are opened. */
export type PullRequestOptions =
    { kind: "link"; template: string } | { kind: "github" | "gitlab"; apiUrl: string; token: string };

/** The forge rejected a request or did not respond; the message contains its reason, without the token. */
export class ForgeError extends Error {
    override readonly name = "ForgeError";
}

const timeLimitMs = 30_000;
const longestReasonCharacters = 500;

export function createPullRequests(options: PullRequestOptions | undefined): OpenPullRequest {
    if (options === undefined) {
        return () => Promise.resolve(null);
    }
    switch (options.kind) {
        case "link":
            return ({ branch }) => Promise.resolve(pullRequestLink(options.template, branch));
        case "github":
            return (request) => openAtGitHub(options, request);
        case "gitlab":
            return (request) => openAtGitLab(options, request);
    }
}

/** The template with `{branch}` replaced; slashes in the branch are not encoded. */
export function pullRequestLink(template: string, branch: string): string {
    return template.replaceAll("{branch}", branch.split("/").map(encodeURIComponent).join("/"));
}

interface Forge {
    apiUrl: string;
    token: string;
}

/** https://docs.github.com/en/rest/pulls/pulls */
async function openAtGitHub(forge: Forge, { repository, branch, base, title, body }: PullRequest): Promise<string> {
    const path = pathOf(repository);
    const pulls = `/repos/${path}/pulls`;
    const head = `${path.split("/")[0]}:${branch}`;
    const query = new URLSearchParams({ state: "open", head, base });
    const open = await call(forge, "GET", `${pulls}?${query.toString()}`);
    return linkOf(firstOf(open) ?? (await call(forge, "POST", pulls, { title, body, head: branch, base })), "html_url");
}

/** https://docs.gitlab.com/api/merge_requests */
async function openAtGitLab(forge: Forge, { repository, branch, base, title, body }: PullRequest): Promise<string> {
    const requests = `/projects/${encodeURIComponent(pathOf(repository))}/merge_requests`;
    const query = new URLSearchParams({ state: "opened", source_branch: branch, target_branch: base });
    const open = await call(forge, "GET", `${requests}?${query.toString()}`);
    const request = { source_branch: branch, target_branch: base, title, description: body };
    return linkOf(firstOf(open) ?? (await call(forge, "POST", requests, request)), "web_url");
}

async function call({ apiUrl, token }: Forge, method: string, path: string, body?: object): Promise<unknown> {
    const what = `${method} ${path.split("?", 1)[0]}`;
    let response: Response;
    let text: string;
    try {
        response = await fetch(apiUrl + path, {
            method,
            headers: {
                accept: "application/json",
                authorization: `Bearer ${token}`,
                "user-agent": "static-export",
                ...(body === undefined ? {} : { "content-type": "application/json" }),
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            // The token must not be sent to any other address.
            redirect: "error",
            signal: AbortSignal.timeout(timeLimitMs),
        });
        text = await response.text();
    } catch (error) {
        const cause = (error as Error).cause;
        const reason = cause instanceof Error ? cause.message : (error as Error).message;
        throw new ForgeError(`The forge cannot be reached (${what}): ${reason}`, { cause: error });
    }
    if (!response.ok) {
        const said = text.replaceAll(token, "***").slice(0, longestReasonCharacters);
        throw new ForgeError(`The forge answered ${response.status} (${what}): ${said}`);
    }
    try {
        return JSON.parse(text) as unknown;
    } catch (error) {
        throw new ForgeError(`The forge did not answer with JSON (${what}).`, { cause: error });
    }
}

function firstOf(answer: unknown): unknown {
    return Array.isArray(answer) ? (answer[0] as unknown) : undefined;
}

function linkOf(answer: unknown, field: string): string {
    const link = (answer as Record<string, unknown> | null)?.[field];
    if (typeof link !== "string" || !/^https?:/.test(link) || !URL.canParse(link)) {
        throw new ForgeError(`The forge answered without ${field}, the address of the pull request.`);
    }
    return link;
}

/** `org/docs` of `https://git.example.com/org/docs.git`. */
function pathOf(repository: string): string {
    return new URL(repository).pathname.replace(/^\/+|\/+$|\.git\/*$/g, "").replace(/\/+$/, "");
}
