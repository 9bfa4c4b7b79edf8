import assert from "node:assert/strict";
import { type Clock } from "@pulumi-static-export/sdk";
import { GithubComments } from "../../../cli/src/comment/github-comments.js";
import { GitlabComments } from "../../../cli/src/comment/gitlab-comments.js";
import { markerOf } from "../../../cli/src/comment/write-comment.js";
import { type CommentOutcome, type CommentStore, upsertComment } from "../../../cli/src/comment/upsert-comment.js";
import { FakeClock } from "../../fake-clock.js";
import { GithubServer } from "./support/github-server.js";
import { GitlabServer } from "./support/gitlab-server.js";
import { type RestServer } from "./support/rest-server.js";

const marker = markerOf({ project: "docs", stack: "production", folder: "infra" });
const nowMs = Date.parse("2026-11-20T12:00:00Z");
const second = 1000;

interface PlatformCase {
    name: string;
    update: string;
    start(): Promise<RestServer>;
    open(server: RestServer, clock: Clock, token?: string): CommentStore;
    wrongPlace(server: RestServer, clock: Clock): CommentStore;
    missingRight: RegExp;
}

const github = (server: RestServer, clock: Clock, repository: string, token = server.token): CommentStore =>
    new GithubComments({ apiUrl: server.url, repository, token, pullRequest: 5 }, { clock });
const gitlab = (server: RestServer, clock: Clock, projectId: string, token = server.token): CommentStore =>
    new GitlabComments({ apiUrl: server.url, projectId, token, mergeRequest: 5 }, { clock });

const cases: PlatformCase[] = [
    {
        name: "GitHub",
        update: "PATCH",
        start: () => new GithubServer().start(),
        open: (server, clock, token) => github(server, clock, "octo/docs", token),
        wrongPlace: (server, clock) => github(server, clock, "octo/other"),
        missingRight:
            /GitHub answered 403 "no" \(POST \/repos\/octo\/docs\/issues\/5\/comments\)\. .*pull-requests: write/,
    },
    {
        name: "GitLab",
        update: "PUT",
        start: () => new GitlabServer().start(),
        open: (server, clock, token) => gitlab(server, clock, "42", token),
        wrongPlace: (server, clock) => gitlab(server, clock, "octo/other"),
        missingRight: /GitLab answered 403 "no" \(POST \/projects\/42\/merge_requests\/5\/notes\)\. .*the scope api/,
    },
];

for (const platform of cases) {
    describe(`The single comment on ${platform.name}`, () => {
        let server: RestServer;
        let clock: FakeClock;

        beforeEach(async () => {
            server = await platform.start();
            clock = new FakeClock(nowMs);
        });
        afterEach(() => server.stop());

        function upsert(markdown: string, { onlyUpdate = false, store = platform.open(server, clock) } = {}) {
            return upsertComment(store, { marker, markdown, onlyUpdate });
        }

        async function outcome(markdown: string, options = {}): Promise<[CommentOutcome, string[]]> {
            return [await upsert(markdown, options), server.comments.map(({ body }) => body)];
        }

        it("is created once and then updated", async () => {
            assert.deepEqual(await outcome("first"), ["created", [`${marker}\nfirst`]]);
            assert.deepEqual(await outcome("second"), ["updated", [`${marker}\nsecond`]]);
        });

        it("is found even on the third page of comments", async () => {
            for (let index = 0; index < 250; index += 1) {
                server.add(`comment ${index}`, index);
            }
            const { id } = server.add(`${marker}\nold`);
            assert.equal(await upsert("new"), "updated");
            assert.equal(server.comments.find((each) => each.id === id)?.body, `${marker}\nnew`);
            assert.equal(server.requests.filter(({ method, path }) => method === "GET" && path !== "/user").length, 3);
        });

        it("is separate for each project, stack and folder", async () => {
            const owner = { project: "docs", stack: "production", folder: "infra" };
            const others = [
                markerOf({ ...owner, project: "other" }),
                markerOf({ ...owner, stack: "staging" }),
                markerOf({ ...owner, folder: "" }),
            ];
            others.forEach((other) => server.add(`${other}\nold`));
            assert.equal(await upsert("new"), "created");
            assert.equal(new Set([marker, ...others]).size, 4);
        });

        it("is never a comment by another user or a comment that only quotes the marker", async () => {
            server.add(`${marker}\nforged`, 8);
            server.add(`> ${marker}\nquoted`);
            const [result, bodies] = await outcome("new");
            assert.equal(result, "created");
            assert.deepEqual(bodies.slice(0, 2), [`${marker}\nforged`, `> ${marker}\nquoted`]);
        });

        it("is updated but not created if the preview changes nothing", async () => {
            assert.deepEqual(await outcome("nothing", { onlyUpdate: true }), ["none", []]);
            server.add(`${marker}\nbroken`);
            assert.deepEqual(await outcome("nothing", { onlyUpdate: true }), ["updated", [`${marker}\nnothing`]]);
        });

        it("is created again if it was deleted before the update", async () => {
            server.add(`${marker}\nold`);
            server.faults.push({ method: platform.update, status: 404, body: { message: "gone" } });
            assert.equal(await upsert("new"), "created");
            assert.equal(server.count("POST"), 1);
        });

        it("is the only one after two runs wrote at the same time", async () => {
            await Promise.all([upsert("one"), upsert("two")]);
            await upsert("three");
            assert.deepEqual(
                server.comments.map(({ body }) => body),
                [`${marker}\nthree`],
            );
        });

        it("is not created a second time because a gateway answered 404", async () => {
            server.add(`${marker}\nold`);
            server.faults.push({ method: platform.update, status: 404, body: { error: "no backend" } });
            assert.equal(await upsert("new"), "updated");
            assert.equal(server.count("POST"), 0);
        });

        it("is written after the delay in Retry-After", async () => {
            server.faults.push({ method: "POST", status: 429, headers: { "retry-after": "7" } });
            assert.equal(await upsert("new"), "created");
            assert.deepEqual(clock.sleptMs, [7 * second]);
        });

        it("is not written if a rate limit exceeds two minutes, and the error names the limit", async () => {
            server.faults.push({ method: "POST", status: 429, headers: { "retry-after": "3600" } });
            await assert.rejects(
                upsert("new"),
                /answered 429.*The rate limit of the token is used up: try again later/,
            );
            assert.deepEqual([clock.sleptMs, server.count("POST")], [[], 1]);
        });

        it("is not written at a secondary rate limit that lasts, which does not use up the token's requests", async () => {
            const headers = { "retry-after": "3600", "x-ratelimit-remaining": "4000" };
            server.faults.push({ method: "POST", status: 429, headers });
            await assert.rejects(upsert("new"), /answered 429.*Too many requests at one time: try again later/);
        });

        it("is updated by a retry if a read or an update fails with 5xx or a lost connection", async () => {
            server.add(`${marker}\nold`);
            server.faults.push({ method: "GET", status: 502 }, { method: "GET", status: 0, cut: true });
            server.faults.push({ method: platform.update, status: 503 });
            assert.equal(await upsert("new"), "updated");
            assert.deepEqual(clock.sleptMs, [second, 2 * second, second]);
        });

        it("is not written after five failed attempts, and the error contains the server's response", async () => {
            server.faults.push(...Array.from({ length: 5 }, () => ({ method: "GET", status: 500 })));
            await assert.rejects(upsert("new"), new RegExp(`${platform.name} answered 500`));
            assert.deepEqual(
                clock.sleptMs,
                [1, 2, 4, 8].map((each) => each * second),
            );
        });

        for (const [what, fault] of Object.entries({
            "answer was lost": { cut: true, status: 0 },
            "answer was 502": { status: 502 },
        })) {
            it(`is not created twice if it was created and the ${what}`, async () => {
                server.faults.push({ method: "POST", done: true, ...fault });
                assert.equal(await upsert("new"), "updated");
                assert.equal(server.comments.length, 1);
            });

            it(`is created by the next attempt if the first created no comment and the ${what}`, async () => {
                server.faults.push({ method: "POST", ...fault });
                assert.equal(await upsert("new"), "created");
                assert.equal(server.comments.length, 1);
            });
        }

        it("is not retried without the required permission, which the error names", async () => {
            server.faults.push({ method: "POST", status: 403, body: { message: "no" } });
            await assert.rejects(upsert("new"), platform.missingRight);
            assert.equal(server.count("POST"), 1);
        });

        it("is not written with an invalid token, and the error does not contain the token", async () => {
            const store = platform.open(server, clock, "wrong_0123456789");
            await assert.rejects(upsert("new", { store }), (error: Error) => {
                assert.match(error.message, /answered 401 .* is wrong or has expired/);
                assert.doesNotMatch(error.message, /wrong_0123456789/);
                return true;
            });
        });

        it("is not written without a project or pull request, and the error suggests what to check", async () => {
            const store = platform.wrongPlace(server, clock);
            await assert.rejects(
                upsert("new", { store }),
                /answered 404 .* Check (?:GITHUB_REPOSITORY|CI_MERGE_REQUEST_PROJECT_ID)/,
            );
        });

        it("is not written if the server refers or redirects to another host, which gets no token", async () => {
            const elsewhere = { link: '<http://127.0.0.2:1/next>; rel="next"' };
            server.faults.push(
                { method: "GET", status: 200, body: { id: server.me } },
                { method: "GET", status: 200, body: [], headers: elsewhere },
            );
            await assert.rejects(upsert("new"), /refers to another host, 127\.0\.0\.2:1: no request was sent to it/);
            server.faults.push({ method: "GET", status: 302, headers: { location: "http://127.0.0.2:1/" } });
            await assert.rejects(upsert("new"), /answered 302/);
        });
    });
}

describe("The rate limits of GitHub", () => {
    it("cause a wait until x-ratelimit-reset, even if they are reported with status 403", async () => {
        const server = await new GithubServer().start();
        try {
            const clock = new FakeClock(nowMs);
            const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(nowMs / second + 30) };
            server.faults.push({ method: "POST", status: 403, headers });
            const message = "You have exceeded a secondary rate limit.";
            server.faults.push({ method: "POST", status: 403, body: { message } });
            const store = github(server, clock, "octo/docs");
            assert.equal(await upsertComment(store, { marker, markdown: "new", onlyUpdate: false }), "created");
            assert.deepEqual(clock.sleptMs, [31 * second, 2 * second]);
        } finally {
            await server.stop();
        }
    });
});

describe("A personal access token on GitHub", () => {
    it("updates the user's comment and never a bot's comment", async () => {
        const server = await new GithubServer().start();
        server.isWorkflowToken = false;
        try {
            server.add(`${marker}\nforged`, 8);
            server.add(`${marker}\nown`);
            const store = github(server, new FakeClock(nowMs), "octo/docs");
            assert.equal(await upsertComment(store, { marker, markdown: "new", onlyUpdate: false }), "updated");
            assert.deepEqual(
                server.comments.map(({ body }) => body),
                [`${marker}\nforged`, `${marker}\nnew`],
            );
        } finally {
            await server.stop();
        }
    });
});

describe("A workflow that is triggered by another workflow", () => {
    const open = (server: RestServer, sha: string) =>
        new GithubComments({
            apiUrl: server.url,
            repository: "octo/docs",
            token: server.token,
            head: { owner: "fork", branch: "topic", sha },
        });

    it("finds the pull request of a fork by branch and commit", async () => {
        const server = await new GithubServer().start();
        try {
            const text = { marker, markdown: "new", onlyUpdate: false };
            assert.equal(await upsertComment(open(server, "abc"), text), "created");
            await assert.rejects(upsertComment(open(server, "gone"), text), /belongs to no open pull request/);
        } finally {
            await server.stop();
        }
    });

    it("asks for the number if the branch has several open pull requests with this commit", async () => {
        const server = await new GithubServer().start();
        try {
            const text = { marker, markdown: "new", onlyUpdate: false };
            await assert.rejects(upsertComment(open(server, "shared"), text), {
                message: "The branch topic has several open pull requests: pass --pull-request <number>.",
            });
            assert.deepEqual(server.comments, []);
        } finally {
            await server.stop();
        }
    });
});
