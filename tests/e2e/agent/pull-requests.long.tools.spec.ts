import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo } from "node:net";
import { ForgeError } from "../../../service/src/forge/forge-error.js";
import { createPullRequests } from "../../../service/src/forge/pull-requests.js";
import { json, withServer } from "../../sdk/support/http-server.js";
import { pullRequestAnswer } from "../../service/forge/support/pull-request-answer.js";
import { projectId, withAgentService } from "./agent-service.js";

const token = "forge_5ecret";

interface Seen {
    method: string;
    path: string;
    authorization: string | undefined;
    body: Record<string, string>;
}

/** Serves the part of the GitHub and GitLab REST APIs that pull requests need, according to the APIs' references. */
async function withForge(
    use: (forge: {
        apiUrl: string;
        seen: Seen[];
        refuse: (status: number, methods?: string[], retryAfter?: string) => void;
    }) => Promise<void>,
): Promise<void> {
    const seen: Seen[] = [];
    const open: { base: string; branch: string; link: string }[] = [];
    let refusal: { status: number; methods: string[]; retryAfter: string } | undefined;
    const server = createServer((request, response) => {
        void readJson(request).then((body) => {
            const url = new URL(request.url ?? "", "http://forge");
            const { authorization } = request.headers;
            seen.push({ method: request.method ?? "", path: url.pathname, authorization, body });
            const send = (status: number, answer: unknown) =>
                response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
            const isGitHub = url.pathname.startsWith("/repos/");
            const [, path = ""] = /^\/(?:repos|projects)\/(.*)\/\w+$/.exec(url.pathname) ?? [];
            const describe = (pull: (typeof open)[number]) =>
                pullRequestAnswer(isGitHub ? "github" : "gitlab", { ...pull, path: decodeURIComponent(path) });
            if (authorization !== `Bearer ${token}`) {
                return send(401, { message: "Bad credentials" });
            }
            if (refusal?.methods.includes(request.method ?? "")) {
                if (refusal.status === 429) {
                    response.setHeader("retry-after", refusal.retryAfter);
                }
                return send(refusal.status, { message: `Validation failed for ${token}` });
            }
            if (request.method === "GET") {
                const branch = isGitHub
                    ? url.searchParams.get("head")?.split(":")[1]
                    : url.searchParams.get("source_branch");
                return send(200, open.filter((pull) => pull.branch === branch).map(describe));
            }
            const branch = (isGitHub ? body["head"] : body["source_branch"]) ?? "";
            const base = (isGitHub ? body["base"] : body["target_branch"]) ?? "";
            const link = `https://forge.example.com/pulls/${open.length + 1}`;
            open.push({ base, branch, link });
            return send(201, describe({ base, branch, link }));
        });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
        await use({
            apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
            seen,
            refuse: (status, methods = ["POST"], retryAfter = "7") => (refusal = { status, methods, retryAfter }),
        });
    } finally {
        server.closeAllConnections();
        server.close();
    }
}

async function readJson(request: IncomingMessage): Promise<Record<string, string>> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
        chunks.push(chunk as Buffer);
    }
    const text = Buffer.concat(chunks).toString();
    return (text === "" ? {} : JSON.parse(text)) as Record<string, string>;
}

const request = {
    repository: "https://git.example.com/acme/team/docs.git",
    branch: "agent/aj_1",
    base: "main",
    title: "Title",
    body: "Body",
};

describe("A pull request", function () {
    this.timeout(300_000);

    it("is opened once per branch on GitHub", async () => {
        await withForge(async ({ apiUrl, seen }) => {
            const { open } = createPullRequests({ kind: "github", apiUrl, token });
            const gitHub = { ...request, repository: "https://github.example.com/acme/docs.git" };
            assert.equal(await open(gitHub), "https://forge.example.com/pulls/1");
            assert.equal(await open(gitHub), "https://forge.example.com/pulls/1");
            assert.deepEqual(
                seen.map(({ method, path }) => `${method} ${path}`),
                ["GET /repos/acme/docs/pulls", "POST /repos/acme/docs/pulls", "GET /repos/acme/docs/pulls"],
            );
            assert.deepEqual(seen[1]?.body, { title: "Title", body: "Body", head: "agent/aj_1", base: "main" });
        });
    });

    it("is opened once per branch on GitLab, even for a project in a group", async () => {
        await withForge(async ({ apiUrl, seen }) => {
            const { open } = createPullRequests({ kind: "gitlab", apiUrl, token });
            assert.equal(await open(request), "https://forge.example.com/pulls/1");
            assert.equal(await open(request), "https://forge.example.com/pulls/1");
            const path = "/projects/acme%2Fteam%2Fdocs/merge_requests";
            assert.deepEqual(
                seen.map((entry) => `${entry.method} ${entry.path}`),
                [`GET ${path}`, `POST ${path}`, `GET ${path}`],
            );
            assert.deepEqual(seen[1]?.body, {
                source_branch: "agent/aj_1",
                target_branch: "main",
                title: "Title",
                description: "Body",
            });
        });
    });

    it("is replaced by a link from a template, which preserves slashes in the branch name", async () => {
        const { open } = createPullRequests({ kind: "link", template: "https://f.example.com/compare/{branch}?x" });
        const branch = "agent/ä b";
        assert.equal(await open({ ...request, branch }), "https://f.example.com/compare/agent/%C3%A4%20b?x");
    });

    it("is not opened if no forge is configured", async () => {
        assert.equal(await createPullRequests(undefined).open(request), null);
    });

    for (const [kind, status, message] of [
        ["github", 422, "Validation Failed"],
        ["gitlab", 409, "Another open merge request already exists for this source branch: !1"],
        ["gitea", 409, "pull request already exists for these targets"],
    ] as const) {
        it(`is reused if another run opens it at ${kind} at the same moment`, async () => {
            const link = "https://forge.example.com/pulls/1";
            const opened = pullRequestAnswer(kind, { link, branch: request.branch });
            const answers = [json(200, []), json(status, { message }), json(200, [opened])];
            await withServer(answers, async ({ baseUrl }) => {
                const { open } = createPullRequests({ kind, apiUrl: baseUrl, token });
                assert.equal(await open({ ...request, repository: "https://forge.example.com/acme/docs.git" }), link);
            });
        });
    }

    it("fails with the forge's message, but without the token, if the forge refuses the request", async () => {
        await withForge(async ({ apiUrl, refuse }) => {
            refuse(422);
            await assert.rejects(
                createPullRequests({ kind: "github", apiUrl, token }).open(request),
                (error: unknown) => {
                    assert.ok(error instanceof ForgeError);
                    assert.match(error.message, /^GitHub answered 422 "Validation failed for \*\*\*" \(POST \/repos\//);
                    return true;
                },
            );
        });
    });

    it("fails if the forge returns no address", async () => {
        const tooLong = `https://forge.example.com/${"x".repeat(5_000_000)}`;
        for (const link of [undefined, 5, "pulls/1", "javascript:alert(1)", tooLong]) {
            const answer = pullRequestAnswer("github", { link, branch: request.branch, path: "acme/team/docs" });
            await withServer([json(200, [answer])], async ({ baseUrl }) => {
                const { open } = createPullRequests({ kind: "github", apiUrl: baseUrl, token });
                await assert.rejects(open(request), {
                    message: "The forge answered without html_url, the address of the pull request.",
                });
            });
        }
    });

    it("contains no escape sequences from the forge in its address or errors", async () => {
        const escape = "\u001b]0;title\u0007\u001b[2J\n";
        const link = `https://forge.example.com/${escape}`;
        const answer = pullRequestAnswer("github", { link, branch: request.branch, path: "acme/team/docs" });
        await withServer([json(200, [answer])], async ({ baseUrl }) => {
            const { open } = createPullRequests({ kind: "github", apiUrl: baseUrl, token });
            // eslint-disable-next-line no-control-regex -- finds control characters, which must have been removed
            assert.doesNotMatch(String(await open(request)), /[\0-\x1f\x7f]/);
        });
        await withServer([json(422, { message: `Refused${escape}.` })], async ({ baseUrl }) => {
            await withAgentService({ pullRequests: { kind: "github", apiUrl: baseUrl, token } }, async (running) => {
                const { id } = await running.run("append to a.md: One.");
                const lines = running.lines.join("\n") + (await running.log(id));
                assert.match(lines, /GitHub answered 422 "Refused/);
                // eslint-disable-next-line no-control-regex -- finds control characters, which must have been removed
                assert.doesNotMatch(lines, /[\0-\x09\x0b-\x1f\x7f]/);
            });
        });
    });

    it("is the prLink of a job, and does not change after a message", async () => {
        await withForge(async ({ apiUrl }) => {
            await withAgentService({ pullRequests: { kind: "github", apiUrl, token } }, async (running) => {
                const { id, prLink } = await running.run("append to a.md: One.");
                assert.equal(prLink, "https://forge.example.com/pulls/1");
                await running.client.agentJobs.sendMessage(projectId, id, { prompt: "append to a.md: Two." });
                assert.equal((await running.wait(id)).prLink, prLink);
                assert.equal(await running.remote.commitsOn(`agent/${id}`), 2);
            });
        });
    });

    it("is opened after outages and rate limits of the forge, as requested by Retry-After", async () => {
        await withForge(async ({ apiUrl, seen, refuse }) => {
            const waits: number[] = [];
            const clock = {
                now: () => Date.now(),
                sleep: (ms: number) => {
                    waits.push(ms);
                    return Promise.resolve(refuse(waits.length === 1 ? 429 : 200, waits.length === 1 ? ["POST"] : []));
                },
            };
            refuse(502);
            const gitHub = { ...request, repository: "https://github.example.com/acme/docs.git" };
            const { open } = createPullRequests({ kind: "github", apiUrl, token }, clock);
            assert.equal(await open(gitHub), "https://forge.example.com/pulls/1");
            assert.deepEqual(waits, [1000, 7000]);
            // After a 502, the client checks whether the pull request was opened anyway.
            assert.deepEqual(
                seen.map(({ method }) => method),
                ["GET", "POST", "GET", "POST", "POST"],
            );
        });
    });

    it("fails the job if the forge is down, but keeps the branch for a later message", async () => {
        await withForge(async ({ apiUrl, refuse }) => {
            await withAgentService({ pullRequests: { kind: "github", apiUrl, token } }, async (running) => {
                // No client waits for the hour that the forge requests.
                refuse(429, ["POST"], "3600");
                const { id, status, source } = await running.run("append to a.md: One.");
                const branch = `agent/${id}`;
                assert.deepEqual([status, source.ref], ["failed", branch]);
                assert.match(
                    await running.log(id),
                    /Failed: GitHub answered 429 .* The change is nevertheless on branch agent\/aj_/,
                );
                assert.equal(await running.remote.commitsOn(branch), 1);

                refuse(200, []);
                await running.client.agentJobs.sendMessage(projectId, id, { prompt: "append to a.md: Two." });
                const again = await running.wait(id);
                assert.deepEqual([again.status, again.prLink], ["completed", "https://forge.example.com/pulls/1"]);
                assert.equal(await running.remote.commitsOn(branch), 2);
            });
        });
    });

    it("fails the job if it is refused, but keeps the pushed work and says where it is", async () => {
        await withForge(async ({ apiUrl, refuse }) => {
            await withAgentService({ pullRequests: { kind: "gitlab", apiUrl, token } }, async (running) => {
                refuse(403);
                const { id, status, prLink, source } = await running.run("append to a.md: One.");
                const branch = `agent/${id}`;
                assert.deepEqual([status, prLink, source.ref], ["failed", null, branch]);
                assert.equal(await running.remote.commitsOn(branch), 1);
                const log = await running.log(id);
                assert.match(
                    log,
                    /Failed: GitLab answered 403 .*may be archived.* on branch agent\/aj_.*: open its pull/,
                );
                assert.doesNotMatch(log, /5ecret/);

                refuse(404, ["GET", "POST"]);
                await running.client.agentJobs.sendMessage(projectId, id, { prompt: "append to a.md: Two." });
                assert.equal((await running.wait(id)).status, "failed");
                assert.equal(await running.remote.commitsOn(branch), 2);
            });
        });
    });

    it("is opened by a later message that changes nothing, if the forge refused it before", async () => {
        await withForge(async ({ apiUrl, refuse }) => {
            await withAgentService({ pullRequests: { kind: "github", apiUrl, token } }, async (running) => {
                refuse(403);
                const { id } = await running.run("append to a.md: One.");
                refuse(200, []);
                await running.client.agentJobs.sendMessage(projectId, id, { prompt: "Change nothing." });
                const again = await running.wait(id);
                assert.deepEqual([again.status, again.prLink], ["completed", "https://forge.example.com/pulls/1"]);
                assert.equal(await running.remote.commitsOn(`agent/${id}`), 1);
            });
        });
    });
});
