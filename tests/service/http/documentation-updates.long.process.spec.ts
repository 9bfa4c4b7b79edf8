import assert from "node:assert/strict";
import { type ServiceOptions } from "@pulumi-static-export/service";
import { waitUntil } from "../../wait-until.js";
import { GitServer } from "../support/git-server.js";
import { domain, withFolder, withService, withServiceOver } from "../support/running-service.js";
import { copyingExporter, ScriptedExporter } from "../support/scripted-exporter.js";
import { exportNow, startUpdate, updateEnd } from "../support/start-update.js";

type Body = Record<string, unknown>;

describe("A documentation update of a site in a repository", () => {
    let server: GitServer;
    let options: Partial<ServiceOptions>;
    beforeEach(async () => {
        server = await GitServer.start();
        options = { sites: { [domain]: `git+${server.url}#main` }, exporter: copyingExporter };
    });
    afterEach(() => server.stop());

    it("publishes the newest commit for exports until the next update", async () => {
        await withService(options, async (running) => {
            const first = await server.commit({ "index.md": "# First\n" });
            const update = await updateEnd(running, await startUpdate(running));
            assert.equal(update["status"], "success");
            assert.deepEqual(update["commit"], { sha: first, ref: "main", message: "Change" });
            const second = await server.commit({ "index.md": "# Second\n" });
            assert.deepEqual(await exportNow(running), { sourceRef: first, text: "# First\n" });
            await updateEnd(running, await startUpdate(running));
            assert.deepEqual(await exportNow(running), { sourceRef: second, text: "# Second\n" });
        });
    });

    it("lists the files that changed since the previously published commit", async () => {
        await withService(options, async (running) => {
            await server.commit({ "index.md": "# First\n", "old.md": "old\n" });
            await updateEnd(running, await startUpdate(running));
            await server.commit({ "index.md": "# Second\n" });
            await server.git("rm", "--quiet", "old.md");
            await server.commit({ "new page.md": "new\n" });
            const { commit } = await updateEnd(running, await startUpdate(running));
            const filesChanged = { added: ["new page.md"], modified: ["index.md"], removed: ["old.md"] };
            assert.deepEqual((commit as Body)["filesChanged"], filesChanged);
        });
    });

    it("fails if the site does not build, and the previous commit stays published", async () => {
        await withService(options, async (running) => {
            const first = await server.commit({ "index.md": "# First\n" });
            await updateEnd(running, await startUpdate(running));
            await server.git("rm", "--quiet", "index.md");
            await server.commit({ "other.md": "other\n" });
            const update = await updateEnd(running, await startUpdate(running));
            assert.equal(update["status"], "failure");
            assert.match(String(update["summary"]), /index\.md/);
            assert.deepEqual((update["logs"] as string[]).at(-1), update["summary"]);
            assert.equal((await exportNow(running)).sourceRef, first);
        });
    });

    it("publishes the commit that it has fetched, even if another commit is pushed in the meantime", async () => {
        const first = await server.commit({ "index.md": "# First\n" });
        const exporter = new ScriptedExporter();
        await withService({ ...options, exporter }, async (running) => {
            const statusId = await startUpdate(running);
            const run = await exporter.nth(1);
            await server.commit({ "index.md": "# Second\n" });
            await run.complete();
            const { commit } = await updateEnd(running, statusId);
            assert.equal((commit as Body)["sha"], first);
        });
    });

    it("is required before an export if a history rewrite has removed the published commit", async () => {
        await server.commit({ "index.md": "# First\n" });
        await withService(options, async (running) => {
            await updateEnd(running, await startUpdate(running));
            await server.commit({ "index.md": "# Second\n" });
            await server.rewriteHistory();
            const jobId = await running.start();
            const { error } = await waitUntil(`${jobId} has failed`, async () => {
                const { body } = await running.request("GET", `/v1/static-export/jobs/${jobId}`);
                return body["status"] === "failed" ? body : undefined;
            });
            assert.match(
                String(error),
                /^The published commit \w{40} is no longer in http.*, because its history was rewritten: start a documentation update of docs\.example\.com \(static-export update/,
            );
            await updateEnd(running, await startUpdate(running));
            assert.equal((await exportNow(running)).text, "# Second\n");
        });
    });

    it("publishes, after an interruption, the commit that its first run fetched", async () => {
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
                const { status, commit } = await updateEnd(running, statusId);
                assert.deepEqual([status, (commit as Body)["sha"]], ["success", first]);
                assert.equal((await exportNow(running)).text, "# First\n");
            });
        });
    });

    it("is started only once for each Idempotency-Key", async () => {
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
            await updateEnd(running, statusId);
            const list = await running.request("GET", `/v1/static-export/jobs?domain=${domain}`);
            assert.deepEqual(list.body["jobs"], []);
            assert.equal((await running.request("GET", `/v1/static-export/jobs/${statusId}`)).status, 404);
            const bundle = await running.request("POST", `/v1/static-export/jobs/${statusId}/bundle`);
            assert.equal(bundle.status, 404);
        });
    });

    it("can be started for an agent project with the same repository, but for no other project", async () => {
        await server.commit({ "index.md": "# First\n" });
        const projects = { docs: { repository: server.url }, app: { repository: "https://git.example.com/app" } };
        await withService({ ...options, projects }, async (running) => {
            const { projectId } = await updateEnd(running, await startUpdate(running, "docs"));
            assert.equal(projectId, "docs");
            for (const project of ["app", "unknown"]) {
                const { status, body } = await running.request("POST", `/v1/project/update/${project}`);
                assert.equal(status, 404);
                assert.match(
                    String(body["error"]),
                    new RegExp(`no project ${project}.*The key can update: ${domain}, docs`),
                );
            }
        });
    });

    it("is refused for a project with a branch if the site names no branch and may use another branch", async () => {
        await server.commit({ "index.md": "# First\n" });
        const projects = { docs: { repository: server.url, ref: "draft" } };
        await withService({ ...options, sites: { [domain]: `git+${server.url}` }, projects }, async ({ request }) => {
            const { status, body } = await request("POST", "/v1/project/update/docs");
            assert.equal(status, 400);
            assert.match(
                String(body["error"]),
                /Project docs uses branch draft of its repository, and site docs\.example\.com names no branch.*#draft.*or start the update of docs\.example\.com/,
            );
        });
    });

    it("fails with the error of its build, and exports continue", async () => {
        await server.commit({ "index.md": "# First\n" });
        await withService({ ...options, faults: ["publish:fail=no disk,times=1"] }, async (running) => {
            const { status, summary } = await updateEnd(running, await startUpdate(running));
            assert.deepEqual([status, summary], ["failure", "no disk"]);
            assert.equal((await exportNow(running)).text, "# First\n");
        });
    });
});

describe("A documentation update of a folder", () => {
    it("succeeds immediately, without a commit", async () => {
        await withService({ exporter: copyingExporter }, async (running) => {
            const statusId = await startUpdate(running);
            const { body } = await running.request("GET", `/v1/project/update-status/${statusId}`);
            assert.deepEqual([body["status"], body["commit"]], ["success", undefined]);
            assert.equal((await exportNow(running)).sourceRef, undefined);
        });
    });
});
