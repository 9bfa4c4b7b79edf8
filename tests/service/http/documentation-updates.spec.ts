import assert from "node:assert/strict";
import { type ServiceOptions } from "@pulumi-static-export/service";
import { waitUntil } from "../../wait-until.js";
import { GitServer } from "../support/git-server.js";
import { domain, type RunningService, withFolder, withService, withServiceOver } from "../support/running-service.js";
import { copyingExporter, ScriptedExporter } from "../support/scripted-exporter.js";

type Body = Record<string, unknown>;

async function startUpdate({ request }: RunningService, project = domain, headers = {}): Promise<string> {
    const { status, body, text } = await request("POST", `/v1/project/update/${project}`, { headers });
    assert.equal(status, 202, text);
    return String(body["statusId"]);
}

async function ended({ request }: RunningService, statusId: string): Promise<Body> {
    return waitUntil(`update ${statusId} has ended`, async () => {
        const { body } = await request("GET", `/v1/project/update-status/${statusId}`);
        return body["endedAt"] === undefined ? undefined : body;
    });
}

async function exported(running: RunningService): Promise<{ sourceRef: unknown; text: string }> {
    const jobId = await running.start();
    const { sourceRef } = await running.reaches(jobId, "completed");
    return { sourceRef, text: (await running.request("GET", await running.link(jobId), { key: null })).text };
}

describe("A documentation update of a site in a repository", () => {
    let server: GitServer;
    let options: Partial<ServiceOptions>;
    beforeEach(async () => {
        server = await GitServer.start();
        options = { sites: { [domain]: `git+${server.url}#main` }, exporter: copyingExporter };
    });
    afterEach(() => server.stop());

    it("publishes the newest commit, and exports take that one until the next update", async () => {
        await withService(options, async (running) => {
            const first = await server.commit({ "index.md": "# First\n" });
            const update = await ended(running, await startUpdate(running));
            assert.equal(update["status"], "success");
            assert.deepEqual(update["commit"], { sha: first, ref: "main", message: "Change" });
            const second = await server.commit({ "index.md": "# Second\n" });
            assert.deepEqual(await exported(running), { sourceRef: first, text: "# First\n" });
            await ended(running, await startUpdate(running));
            assert.deepEqual(await exported(running), { sourceRef: second, text: "# Second\n" });
        });
    });

    it("lists the files that changed since the commit that was published before", async () => {
        await withService(options, async (running) => {
            await server.commit({ "index.md": "# First\n", "old.md": "old\n" });
            await ended(running, await startUpdate(running));
            await server.commit({ "index.md": "# Second\n" });
            await server.git("rm", "--quiet", "old.md");
            await server.commit({ "new page.md": "new\n" });
            const { commit } = await ended(running, await startUpdate(running));
            const filesChanged = { added: ["new page.md"], modified: ["index.md"], removed: ["old.md"] };
            assert.deepEqual((commit as Body)["filesChanged"], filesChanged);
        });
    });

    it("fails when the site does not build, and the commit before stays published", async () => {
        await withService(options, async (running) => {
            const first = await server.commit({ "index.md": "# First\n" });
            await ended(running, await startUpdate(running));
            await server.git("rm", "--quiet", "index.md");
            await server.commit({ "other.md": "other\n" });
            const update = await ended(running, await startUpdate(running));
            assert.equal(update["status"], "failure");
            assert.match(String(update["summary"]), /index\.md/);
            assert.deepEqual((update["logs"] as string[]).at(-1), update["summary"]);
            assert.equal((await exported(running)).sourceRef, first);
        });
    });

    it("fails when the branch does not exist, and says what to check", async () => {
        await withService({ ...options, sites: { [domain]: `git+${server.url}#gone` } }, async (running) => {
            await server.commit({ "index.md": "# First\n" });
            const { status, summary } = await ended(running, await startUpdate(running));
            assert.equal(status, "failure");
            assert.match(String(summary), /^Branch gone of .* could not be fetched/);
        });
    });

    it("that was interrupted publishes the commit that its first run fetched", async () => {
        const first = await server.commit({ "index.md": "# First\n" });
        await withFolder(async (folder) => {
            const interrupted = new ScriptedExporter();
            let statusId = "";
            await withServiceOver(folder, { ...options, exporter: interrupted }, async (running) => {
                statusId = await startUpdate(running);
                await interrupted.nth(1);
            });
            await server.commit({ "index.md": "# Second\n" });
            await withServiceOver(folder, options, async (running) => {
                const { status, commit } = await ended(running, statusId);
                assert.deepEqual([status, (commit as Body)["sha"]], ["success", first]);
                assert.equal((await exported(running)).text, "# First\n");
            });
        });
    });

    it("is started once for each Idempotency-Key", async () => {
        await server.commit({ "index.md": "# First\n" });
        await withService(options, async (running) => {
            const key = { "idempotency-key": "k1" };
            const statusId = await startUpdate(running, domain, key);
            assert.equal(await startUpdate(running, domain, key), statusId);
            assert.notEqual(await startUpdate(running, domain, { "idempotency-key": "k2" }), statusId);
        });
    });

    it("is neither listed nor found among the exports", async () => {
        await server.commit({ "index.md": "# First\n" });
        await withService(options, async (running) => {
            const statusId = await startUpdate(running);
            await ended(running, statusId);
            const list = await running.request("GET", `/v1/static-export/jobs?domain=${domain}`);
            assert.deepEqual(list.body["jobs"], []);
            assert.equal((await running.request("GET", `/v1/static-export/jobs/${statusId}`)).status, 404);
            const bundle = await running.request("POST", `/v1/static-export/jobs/${statusId}/bundle`);
            assert.equal(bundle.status, 404);
        });
    });

    it("can be started for an agent project with the same repository, and for no other project", async () => {
        await server.commit({ "index.md": "# First\n" });
        const projects = { docs: { repository: server.url }, app: { repository: "https://git.example.com/app" } };
        await withService({ ...options, projects }, async (running) => {
            const { projectId } = await ended(running, await startUpdate(running, "docs"));
            assert.equal(projectId, "docs");
            for (const project of ["app", "unknown"]) {
                const { status, body } = await running.request("POST", `/v1/project/update/${project}`);
                assert.equal(status, 404);
                assert.match(
                    String(body["error"]),
                    new RegExp(`no project ${project}.*It can update: ${domain}, docs`),
                );
            }
        });
    });

    it("is delayed and failed by the fault publish, which leaves exports alone", async () => {
        await server.commit({ "index.md": "# First\n" });
        await withService({ ...options, faults: ["publish:fail=no disk,times=1"] }, async (running) => {
            const { status, summary } = await ended(running, await startUpdate(running));
            assert.deepEqual([status, summary], ["failure", "no disk"]);
            assert.equal((await exported(running)).text, "# First\n");
        });
    });
});

describe("A documentation update of a folder", () => {
    it("has succeeded at once, with no commit", async () => {
        await withService({ exporter: copyingExporter }, async (running) => {
            const statusId = await startUpdate(running);
            const { body } = await running.request("GET", `/v1/project/update-status/${statusId}`);
            assert.deepEqual([body["status"], body["commit"]], ["success", undefined]);
            assert.equal((await exported(running)).sourceRef, undefined);
        });
    });
});

describe("The documentation update operations", () => {
    it("answer 404 for an unknown update and 403 for a preview, which this service does not serve", async () => {
        await withService({ exporter: copyingExporter }, async ({ request }) => {
            assert.equal((await request("GET", "/v1/project/update-status/du_00")).status, 404);
            const preview = await request("POST", `/v1/project/preview/${domain}`, { json: { branch: "draft" } });
            assert.equal(preview.status, 403);
            assert.match(String(preview.body["error"]), /serves no previews: deploy the branch/);
            assert.equal(
                (await request("POST", `/v1/project/preview/${domain}`, { json: { branch: "" } })).status,
                400,
            );
            assert.equal((await request("POST", `/v1/project/update/${domain}`, { key: null })).status, 401);
        });
    });
});
