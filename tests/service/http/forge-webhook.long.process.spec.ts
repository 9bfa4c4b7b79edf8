import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { type ServiceOptions } from "@pulumi-static-export/service";
import { GitServer } from "../support/git-server.js";
import {
    type Answer,
    domain,
    type RunningService,
    withFolder,
    withService,
    withServiceOver,
} from "../support/running-service.js";
import { copyingExporter, ScriptedExporter } from "../support/scripted-exporter.js";
import { updateEnd } from "../support/start-update.js";

const webhookSecret = "webhook-5ecret-of-the-forge";
const path = `/v1/project/webhook/${domain}`;
const after = "4f2a9c10aaaabbbbccccddddeeeeffff00001111";
const push = { ref: "refs/heads/main", after, repository: { default_branch: "main" } };

interface Sent {
    event?: string;
    /** The secret that signs the request. */
    secret?: string;
    headers?: Record<string, string>;
    to?: string;
}

function fromGitHub({ request }: RunningService, json: object, sent: Sent = {}): Promise<Answer> {
    const body = JSON.stringify(json);
    const { event = "push", secret = webhookSecret, to = path } = sent;
    const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
    const headers = { "content-type": "application/json", "x-github-event": event, "x-hub-signature-256": signature };
    return request("POST", to, { key: null, body, headers: { ...headers, ...sent.headers } });
}

function fromGitLab({ request }: RunningService, json: object, sent: Sent = {}): Promise<Answer> {
    const { event = "Push Hook", secret = webhookSecret } = sent;
    const headers = { "x-gitlab-event": event, "x-gitlab-token": secret, ...sent.headers };
    return request("POST", path, { key: null, json, headers });
}

async function ended(running: RunningService, { status, body, text }: Answer): Promise<Record<string, unknown>> {
    assert.equal(status, 202, text);
    return updateEnd(running, String(body["statusId"]));
}

describe("A webhook of a forge", () => {
    let server: GitServer;
    let options: Partial<ServiceOptions>;
    beforeEach(async () => {
        server = await GitServer.start();
        options = { sites: { [domain]: `git+${server.url}#main` }, exporter: copyingExporter, webhookSecret };
        await server.commit({ "index.md": "# First\n" });
    });
    afterEach(() => server.stop());

    it("publishes a push to the branch, from GitHub and from GitLab", async () => {
        await withService(options, async (running) => {
            const first = await ended(running, await fromGitHub(running, push));
            assert.deepEqual([first["status"], first["source"]], ["success", "github"]);
            const second = await server.commit({ "index.md": "# Second\n" });
            const { source, commit } = await ended(
                running,
                await fromGitLab(running, push, { headers: { "x-gitlab-event-uuid": "1" } }),
            );
            assert.deepEqual([source, (commit as Record<string, unknown>)["sha"]], ["gitlab", second]);
        });
    });

    it("is in the audit log", async () => {
        await withService(options, async (running) => {
            const { body } = await fromGitHub(running, push);
            const { entries } = (await running.request("GET", "/v1/audit")).body as {
                entries: { actor: string; act: string }[];
            };
            const act = `started documentation update ${String(body["statusId"])} of ${domain}`;
            assert.deepEqual(
                entries.map((entry) => [entry.actor, entry.act]),
                [["GitHub's webhook", act]],
            );
        });
    });

    it("is accepted for the repository's default branch if the site names no branch", async () => {
        await withService({ ...options, sites: { [domain]: `git+${server.url}` } }, async (running) => {
            assert.equal((await fromGitHub(running, push)).status, 202);
            const other = { ...push, repository: { default_branch: "trunk" } };
            assert.match(String((await fromGitHub(running, other)).body["ignored"]), /site .* publishes trunk/);
            const unnamed = { ref: push.ref };
            assert.match(String((await fromGitHub(running, unnamed)).body["ignored"]), /does not name/);
        });
    });

    it("starts only one update if a delivery is repeated, even with another id or after a restart", async () => {
        await withFolder(async (folder) => {
            let statusId: unknown;
            await withServiceOver(folder, options, async (running) => {
                const answer = await fromGitHub(running, push, { headers: { "x-github-delivery": "1" } });
                statusId = answer.body["statusId"];
                await ended(running, answer);
            });
            await withServiceOver(folder, options, async (running) => {
                const again = await fromGitHub(running, push, { headers: { "x-github-delivery": "2" } });
                assert.deepEqual([again.status, again.body["statusId"]], [202, statusId]);
                assert.equal(again.headers.get("idempotency-replayed"), "true");
            });
        });
    });

    it("starts another update if the delivery is repeated after its update has failed", async () => {
        const exporter = new ScriptedExporter();
        await withService({ ...options, exporter }, async (running) => {
            const first = await fromGitHub(running, push);
            (await exporter.nth(1)).fail(new Error("The disk is full."));
            assert.equal((await ended(running, first))["status"], "failure");
            const second = await fromGitHub(running, push);
            assert.notEqual(second.body["statusId"], first.body["statusId"]);
            await (await exporter.nth(2)).complete();
            assert.equal((await ended(running, second))["status"], "success");
            const third = await fromGitHub(running, push);
            assert.equal(third.body["statusId"], second.body["statusId"]);
        });
    });

    it("starts one update for each push, even if GitLab sends identical descriptions of two pushes", async () => {
        await withService(options, async (running) => {
            const sent = (id: string) => fromGitLab(running, push, { headers: { "idempotency-key": id } });
            const first = await sent("1");
            await ended(running, first);
            assert.equal((await sent("1")).body["statusId"], first.body["statusId"]);
            assert.notEqual((await sent("2")).body["statusId"], first.body["statusId"]);
        });
    });

    it("joins a waiting update that will also fetch the pushed commit", async () => {
        const exporter = new ScriptedExporter();
        await withService({ ...options, exporter }, async (running) => {
            const deliveries = ["a", "b", "c"].map((after) => ({ ...push, after }));
            const first = await fromGitHub(running, deliveries[0]!);
            await exporter.nth(1);
            const second = await fromGitHub(running, deliveries[1]!);
            const third = await fromGitHub(running, deliveries[2]!);
            assert.notEqual(second.body["statusId"], first.body["statusId"]);
            assert.equal(third.body["statusId"], second.body["statusId"]);
        });
    });

    it("is ignored with 200 for other events, other branches, tags and deleted branches", async () => {
        await withService(options, async (running) => {
            const answers = [
                await fromGitHub(running, { zen: "Keep it simple." }, { event: "ping" }),
                await fromGitHub(running, push, { event: "pull_request" }),
                await fromGitHub(running, { ...push, ref: "refs/heads/draft" }),
                await fromGitHub(running, { ...push, ref: "refs/tags/main" }),
                await fromGitHub(running, { ...push, after: "0".repeat(40), deleted: true }),
                await fromGitHub(running, { ref: null, repository: null }),
                await fromGitLab(running, push, { event: "Tag Push Hook" }),
            ];
            for (const { status, body, text } of answers) {
                assert.equal(status, 200, text);
                assert.equal(typeof body["ignored"], "string");
            }
        });
    });

    it("is refused with a wrong signature, a wrong token or a changed body, or without credentials", async () => {
        await withService(options, async (running) => {
            const other = { secret: "another-5ecret-of-a-forge" };
            assert.equal((await fromGitHub(running, push, other)).status, 401);
            assert.equal(
                (await fromGitHub(running, push, { headers: { "x-hub-signature-256": "sha256=" } })).status,
                401,
            );
            assert.equal((await fromGitLab(running, push, other)).status, 401);
            assert.equal((await running.request("POST", path, { key: null, json: push })).status, 401);
            const signature = createHmac("sha256", webhookSecret).update(JSON.stringify(push)).digest("hex");
            const headers = { "x-github-event": "push", "x-hub-signature-256": `sha256=${signature}` };
            const changed = { ...push, forced: true };
            const { status, body } = await running.request("POST", path, { key: null, json: changed, headers });
            assert.equal(status, 401);
            assert.doesNotMatch(JSON.stringify(body), /5ecret/);
        });
    });

    it("is refused with a wrong signature before its body is parsed", async () => {
        await withService(options, async ({ service }) => {
            const headers = { "content-type": "application/json", "x-hub-signature-256": "sha256=" };
            const answer = await fetch(service.url + path, { method: "POST", headers, body: "{ not JSON" });
            assert.equal(answer.status, 401);
        });
    });

    it("is refused without a body, even with the secret", async () => {
        await withService(options, async ({ request }) => {
            const token = { "x-gitlab-event": "Push Hook", "x-gitlab-token": webhookSecret };
            assert.equal((await request("POST", path, { key: null, headers: token })).status, 400);
            const signature = { "x-github-event": "push", "x-hub-signature-256": "sha256=" };
            assert.equal((await request("POST", path, { key: null, headers: signature })).status, 401);
        });
    });

    it("is refused with a wrong signature, even if the token is correct", async () => {
        await withService(options, async (running) => {
            const headers = { "x-gitlab-token": webhookSecret };
            assert.equal((await fromGitHub(running, push, { secret: "x".repeat(20), headers })).status, 401);
        });
    });

    it("is answered with 413 if the body is too large, and the body is not read without a signature", async () => {
        await withService(options, async (running) => {
            const large = { ...push, text: "x".repeat(5 * 1024 * 1024) };
            assert.equal((await fromGitHub(running, large)).status, 413);
            assert.equal((await running.request("POST", path, { key: null, json: large })).status, 401);
        });
    });

    it("is refused if the service has no secret, and the error names the option that sets it", async () => {
        const { webhookSecret: _, ...without } = options;
        await withService(without, async (running) => {
            const { status, body } = await fromGitHub(running, push);
            assert.equal(status, 403);
            assert.match(String(body["error"]), /--webhook-secret-file/);
        });
    });

    it("is answered with 404 for an unknown project, and ignored for a folder", async () => {
        await withService(options, async (running) => {
            const { status, body } = await fromGitHub(running, push, { to: "/v1/project/webhook/nobody" });
            assert.equal(status, 404);
            assert.match(String(body["error"]), /There is no project nobody.*docs\.example\.com/);
        });
        await withService({ exporter: copyingExporter, webhookSecret }, async (running) => {
            assert.match(String((await fromGitHub(running, push)).body["ignored"]), /is a folder/);
        });
    });
});

describe("The secret of webhooks", () => {
    it("must have at least 16 characters, and is not shown in messages", async () => {
        const run = () => withService({ exporter: copyingExporter, webhookSecret: "short" }, () => Promise.resolve());
        await assert.rejects(run, (error: Error) => /at least 16/.test(error.message) && !/short/.test(error.message));
    });
});
