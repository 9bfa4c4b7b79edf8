import { migrateDatabase } from "@pulumi-static-export/service";
import assert from "node:assert/strict";
import { join } from "node:path";
import { GitServer } from "../support/git-server.js";
import { usePostgres } from "../support/postgres.js";
import { domain, type RunningService, withFolder, withServiceOver } from "../support/running-service.js";
import { withWorker } from "../support/running-worker.js";
import { copyingExporter } from "../support/scripted-exporter.js";
import { exportNow, startUpdate, updateEnd } from "../support/start-update.js";

const webhookSecret = "webhook-5ecret-of-the-forge";

describe("Documentation updates of services and workers that share a PostgreSQL database", () => {
    const server = usePostgres();
    let git: GitServer;
    let sites: Record<string, string>;
    beforeEach(async () => {
        git = await GitServer.start();
        sites = { [domain]: `git+${git.url}#main` };
    });
    afterEach(() => git.stop());

    const withServices = async (
        use: (first: RunningService, second: RunningService, folder: string, database: string) => Promise<void>,
    ): Promise<void> => {
        const database = await server().createDatabase();
        await migrateDatabase(database);
        const options = { database, sites, webhookSecret, previewDomains: { [domain]: "previews.example.com" } };
        await withFolder((folder) =>
            withServiceOver(folder, options, (first) =>
                withServiceOver(folder, options, (second) => use(first, second, folder, database)),
            ),
        );
    };

    it("publish a commit that another service's exports use", async () => {
        const commit = await git.commit({ "index.md": "# First\n" });
        await withServices((first, second, folder, database) =>
            withWorker(folder, database, { sites, exporter: copyingExporter }, async () => {
                const { status } = await updateEnd(second, await startUpdate(first));
                assert.equal(status, "success");
                await git.commit({ "index.md": "# Second\n" });
                assert.deepEqual(await exportNow(second), { sourceRef: commit, text: "# First\n" });
            }),
        );
    });

    it("are started once if two services receive the same key or delivery at the same time", async () => {
        await withServices(async (first, second) => {
            const key = { "idempotency-key": "k1" };
            const started = await Promise.all([first, second, first].map((each) => startUpdate(each, domain, key)));
            assert.equal(new Set(started).size, 1);
            const headers = { "x-gitlab-event": "Push Hook", "x-gitlab-token": webhookSecret };
            const delivery = { key: null, headers, json: { ref: "refs/heads/main", after: "a" } };
            const answers = await Promise.all(
                [first, second, first].map(({ request }) => request("POST", `/v1/project/webhook/${domain}`, delivery)),
            );
            assert.deepEqual(new Set(answers.map(({ body }) => body["statusId"])), new Set(started));
        });
    });

    it("stay published when their data folder is copied into the database", async () => {
        const database = await server().createDatabase();
        const commit = await git.commit({ "index.md": "# First\n" });
        await withFolder(async (folder) => {
            let statusId = "";
            await withServiceOver(folder, { sites, exporter: copyingExporter }, async (running) => {
                statusId = await startUpdate(running);
                await updateEnd(running, statusId);
            });
            await git.commit({ "index.md": "# Second\n" });
            await migrateDatabase(database, join(folder, "data"));
            await withServiceOver(folder, { sites, database }, (running) =>
                withWorker(folder, database, { sites, exporter: copyingExporter }, async () => {
                    assert.equal((await updateEnd(running, statusId))["status"], "success");
                    assert.equal((await exportNow(running)).sourceRef, commit);
                    const { body } = await running.request("GET", `/v1/static-export/jobs?domain=${domain}`);
                    assert.equal((body["jobs"] as object[]).length, 1);
                }),
            );
        });
    });
});
