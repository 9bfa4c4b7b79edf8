import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { type LogFields } from "@pulumi-static-export/service";
import { GitServer } from "../support/git-server.js";
import { domain, withFolder, withService, withServiceOver } from "../support/running-service.js";
import { copyingExporter, ScriptedExporter } from "../support/scripted-exporter.js";

describe("A site in a repository", () => {
    let server: GitServer;
    beforeEach(async () => {
        server = await GitServer.start();
    });
    afterEach(() => server.stop());

    it("is exported at its newest commit, which the job and the log both name", async () => {
        const logged: { message: string; fields?: LogFields }[] = [];
        const note = (message: string, fields?: LogFields) => void logged.push({ message, ...(fields && { fields }) });
        const sites = { [domain]: `git+${server.url}#main:guides` };
        const options = { sites, exporter: copyingExporter, logger: { info: note, error: note } };
        await withService(options, async ({ start, reaches, link, request }) => {
            for (const text of ["# First\n", "# Second\n"]) {
                const commit = await server.commit({ "guides/index.md": text });
                const jobId = await start();
                assert.equal((await reaches(jobId, "completed"))["sourceRef"], commit);
                assert.equal((await request("GET", await link(jobId), { key: null })).text, text);
                const [line] = logged.filter(({ fields }) => fields?.sourceRef === commit);
                assert.equal(
                    line?.message,
                    `Export job ${jobId} of ${domain} exports commit ${commit} of ${server.url}.`,
                );
            }
        });
    });

    it("is exported at the first run's commit if the job was interrupted", async () => {
        const sites = { [domain]: `git+${server.url}#main` };
        const commit = await server.commit({ "index.md": "# First\n" });
        await withFolder(async (folder) => {
            const interrupted = new ScriptedExporter();
            let jobId = "";
            await withServiceOver(folder, { sites, exporter: interrupted }, async ({ start }) => {
                jobId = await start();
                await interrupted.nth(1);
            });
            await server.commit({ "index.md": "# Second\n" });
            await withServiceOver(folder, { sites, exporter: copyingExporter }, async ({ reaches, link, request }) => {
                assert.equal((await reaches(jobId, "completed"))["sourceRef"], commit);
                assert.equal((await request("GET", await link(jobId), { key: null })).text, "# First\n");
            });
        });
    });

    it("fails a job with advice if its repository uses SHA-256", async () => {
        await withFolder(async (folder) => {
            const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "pipe" });
            git("init", "--quiet", "--initial-branch=main", "--object-format=sha256");
            git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--allow-empty", "-m", "x");
            const sites = { [domain]: `git+file://${folder}#main` };
            await withService({ sites, exporter: copyingExporter }, async ({ start, reaches }) => {
                const { error } = await reaches(await start(), "failed");
                assert.match(String(error), /Repositories with SHA-256 are not supported: name one with SHA-1/);
            });
        });
    });
});
