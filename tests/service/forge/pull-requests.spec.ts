import assert from "node:assert/strict";
import { forgeKinds, type ForgeKind } from "../../../service/src/forge/forge-kinds.js";
import { createPullRequests } from "../../../service/src/forge/pull-requests.js";
import { json, type RecordedRequest, type Reply, text, withServer } from "../../sdk/support/http-server.js";
import { pullRequestAnswer } from "./support/pull-request-answer.js";

const token = "forge_5ecret";
const branch = "agent/aj_1";
const link = "https://forge.example.com/acme/docs/pulls/1";
const request = { branch, base: "main", title: "Title", body: "Body" };
const own = (kind: ForgeKind) => pullRequestAnswer(kind, { link, branch });

const pathOf: Readonly<Record<ForgeKind, string>> = {
    github: "/repos/acme/docs/pulls",
    gitlab: "/projects/acme%2Fdocs/merge_requests",
    gitea: "/repos/acme/docs/pulls",
    forgejo: "/repos/acme/docs/pulls",
};

async function open(
    kind: ForgeKind,
    replies: readonly Reply[],
    { repository = "ssh://git@forge.example.com/acme/docs.git", apiPath = "" } = {},
): Promise<{ opened: unknown; requests: RecordedRequest[] }> {
    let result: { opened: unknown; requests: RecordedRequest[] } | undefined;
    await withServer(replies, async ({ baseUrl, requests }) => {
        const { open: openPullRequest } = createPullRequests({ kind, apiUrl: baseUrl + apiPath, token });
        const opened = await openPullRequest({ ...request, repository: repository.replace("FORGE", baseUrl) }).catch(
            (error: unknown) => error,
        );
        result = { opened, requests };
    });
    return result!;
}

const callsOf = (requests: readonly RecordedRequest[]) =>
    requests.map(({ method, url }) => `${method} ${url.split("?")[0]}`);

for (const kind of forgeKinds) {
    describe(`The pull request of a branch at ${kind}`, () => {
        it("is opened if the branch has none", async () => {
            const { opened, requests } = await open(kind, [json(200, []), json(201, own(kind))]);
            assert.equal(opened, link);
            assert.deepEqual(callsOf(requests), [`GET ${pathOf[kind]}`, `POST ${pathOf[kind]}`]);
            assert.deepEqual(
                JSON.parse(requests[1]!.body),
                kind === "gitlab"
                    ? { source_branch: branch, target_branch: "main", title: "Title", description: "Body" }
                    : { head: branch, base: "main", title: "Title", body: "Body" },
            );
        });

        it("is found again, also if somebody has changed its target", async () => {
            for (const base of ["main", "next"]) {
                const found = json(200, [pullRequestAnswer(kind, { link, branch, base })]);
                const { opened, requests } = await open(kind, [found, json(200, [])]);
                assert.equal(opened, link);
                assert.ok(requests.every(({ method }) => method === "GET"));
            }
        });

        it("is closed by its number, and only if the branch has one", async () => {
            const close = async (pages: readonly object[][]) => {
                const replies = [...pages.map((page) => json(200, page)), json(200, own(kind))];
                let result: { closed: unknown; requests: RecordedRequest[] } | undefined;
                await withServer(replies, async ({ baseUrl, requests }) => {
                    const pullRequests = createPullRequests({ kind, apiUrl: baseUrl, token });
                    const repository = "ssh://git@forge.example.com/acme/docs.git";
                    result = { closed: await pullRequests.close({ repository, branch, base: "main" }), requests };
                });
                return result!;
            };
            const { closed, requests } = await close([[own(kind)]]);
            assert.equal(closed, link);
            const [method, body] =
                kind === "gitlab" ? ["PUT", { state_event: "close" }] : ["PATCH", { state: "closed" }];
            assert.deepEqual(callsOf(requests), [`GET ${pathOf[kind]}`, `${method} ${pathOf[kind]}/1`]);
            assert.deepEqual(JSON.parse(requests[1]!.body), body);

            const nothing = await close([[]]);
            assert.equal(nothing.closed, undefined);
            assert.deepEqual(callsOf(nothing.requests), [`GET ${pathOf[kind]}`]);
        });

        it("is announced before it may exist, and not if it is found", async () => {
            for (const [replies, expected] of [
                [[json(200, [own(kind)])], 0],
                [[json(200, []), json(201, own(kind))], 1],
            ] as const) {
                await withServer([...replies], async ({ baseUrl, requests }) => {
                    let announced = 0;
                    const repository = "ssh://git@forge.example.com/acme/docs.git";
                    await createPullRequests({ kind, apiUrl: baseUrl, token }).open({ ...request, repository }, () => {
                        announced += 1;
                        assert.equal(requests.length, 1);
                    });
                    assert.equal(announced, expected);
                });
            }
        });

        it("is never one of another branch or of a fork", async () => {
            const others = [
                pullRequestAnswer(kind, { link: `${link}0`, branch: "fix-typo" }),
                pullRequestAnswer(kind, { link: `${link}1`, branch, from: "eve/docs" }),
            ];
            const replies = [json(200, others), json(200, []), json(201, own(kind))];
            assert.equal((await open(kind, replies)).opened, link);

            const { opened } = await open(kind, [json(200, []), json(201, others[0])]);
            assert.match(
                String(opened),
                /^ForgeError: The forge answered with a pull request that does not merge agent\/aj_1 into main: check/,
            );
        });

        it("is found on a later page of the forge's list", async () => {
            const other = pullRequestAnswer(kind, { link: `${link}0`, branch: "fix-typo" });
            const { opened, requests } = await open(kind, [json(200, [other]), json(200, [own(kind)])]);
            assert.equal(opened, link);
            assert.deepEqual(
                requests.map(({ url }) => new URL(url, "http://forge").searchParams.get("page")),
                ["1", "2"],
            );
        });

        it("is opened where the repository is now, if it has moved", async () => {
            const isGitLab = kind === "gitlab";
            const moved = json(200, { [isGitLab ? "path_with_namespace" : "full_name"]: "acme/manual" });
            const newPath = pathOf[kind].replace("docs", "manual");
            const answer = pullRequestAnswer(kind, { link, branch, path: "acme/manual" });
            const redirect = json(301, { message: "Moved Permanently" }, { location: "/repositories/7" });
            const { opened, requests } = await open(kind, [
                ...[redirect, redirect, moved],
                ...[json(200, []), json(201, answer)],
            ]);
            assert.equal(opened, link);
            assert.deepEqual(callsOf(requests), [
                `GET ${pathOf[kind]}`,
                `GET ${pathOf[kind].replace(/\/\w+$/, "")}`,
                "GET /repositories/7",
                `GET ${newPath}`,
                `POST ${newPath}`,
            ]);
        });
    });
}

describe("A forge that answers otherwise than its API", () => {
    it("is reported as moved if it redirects to another host, which gets no token", async () => {
        await withServer([json(200, { full_name: "eve/docs" })], async (other) => {
            const redirect = json(301, {}, { location: `${other.baseUrl}/repos/eve/docs` });
            const { opened } = await open("github", [redirect]);
            assert.equal(
                String(opened),
                "ForgeError: GitHub answered 301 (GET /repos/acme/docs). The repository has moved, or its forge asks for a " +
                    "sign-in: open the repository in a browser, and name its new address in --agent-project.",
            );
            assert.deepEqual(other.requests, []);
        });
    });

    it("is refused if it answers with a page, such as a form to sign in", async () => {
        const { opened, requests } = await open("gitlab", [text(200, "<html>Sign in</html>")]);
        assert.equal(
            String(opened),
            "ForgeError: GitLab answered 200 with a page instead of JSON (GET /projects/acme%2Fdocs/merge_requests): " +
                "check the address of the API, and that no sign-in page is in front of it.",
        );
        assert.equal(requests.length, 1);
    });

    for (const [status, advice] of [
        [401, /--agent-forge-token-env names is wrong or has expired\.$/],
        [403, /The repository may be archived, or the token must not open pull requests there\.$/],
        [404, /Check the address in --agent-project, and that the token has access to that repository\.$/],
        [423, /The repository may be archived/],
    ] as const) {
        it(`says what to do after ${status}`, async () => {
            const { opened } = await open("gitea", [json(200, []), json(status, { message: "No" })]);
            assert.match(String(opened), new RegExp(`^ForgeError: Gitea answered ${status} "No" `));
            assert.match(String(opened), advice);
        });
    }
});

describe("A forge below a path", () => {
    for (const [kind, apiPath, expected] of [
        ["gitlab", "/gitlab/api/v4", "/gitlab/api/v4/projects/acme%2Fdocs/merge_requests"],
        ["gitea", "/git/api/v1", "/git/api/v1/repos/acme/docs/pulls"],
    ] as const) {
        it(`is asked for the repository without that path: ${kind}`, async () => {
            const root = apiPath.split("/")[1];
            for (const repository of [`FORGE/${root}/acme/docs.git`, "ssh://git@forge.example.com/acme/docs.git"]) {
                const { opened, requests } = await open(kind, [json(200, [own(kind)])], { repository, apiPath });
                assert.equal(opened, link);
                assert.deepEqual(callsOf(requests), [`GET ${expected}`]);
            }
        });
    }
});

describe("The token of Gitea and Forgejo", () => {
    for (const kind of ["gitea", "forgejo"] as const) {
        it(`is sent to ${kind} as a bearer token, and is never in errors`, async () => {
            const { opened, requests } = await open(kind, [json(403, { message: `No access for ${token}` })]);
            assert.equal(requests[0]!.headers.authorization, `Bearer ${token}`);
            assert.match(String(opened), /No access for \*\*\*/);
        });
    }
});
