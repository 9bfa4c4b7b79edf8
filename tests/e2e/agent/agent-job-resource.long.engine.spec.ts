import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { adminApiKey, type AgentService, projectId, withAgentService } from "./agent-service.js";
import { EngineStack } from "../support/engine-stack.js";
import { itInLong } from "../../scale.js";

const program = (prompt: string, more = "") => `import { AgentJob, getAgentJobOutput } from "pulumi-static-export";
const job = new AgentJob("docs", { projectId: "${projectId}", prompt: ${prompt} });
export const { jobId, prLink, sourceRef, status, archivedAt } = job;
export const shout = job.prLink.apply((link) => link?.toUpperCase());
${more}`;
const lookUp = `export const read = getAgentJobOutput({ projectId: job.projectId, id: job.jobId });\n`;
const template = "https://forge.example.com/org/docs/compare/{branch}";

async function withStack(use: (stack: EngineStack, running: AgentService) => Promise<void>): Promise<void> {
    await withAgentService({ pullRequests: { kind: "link", template } }, async (running) => {
        const stack = await EngineStack.create({
            program: program('"append to a.md: One."', lookUp),
            config: { "static-export:baseUrl": running.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
        });
        try {
            await use(stack, running);
        } finally {
            await stack.remove();
        }
    });
}

function isAboutAgentJob(line: string): boolean {
    return line.includes("gent job");
}

describe("an AgentJob on the real engine", function () {
    this.timeout(600_000);

    it("commits its agent's change, and adds a commit when the prompt changes", async () => {
        await withStack(async (stack, { remote, lines }) => {
            const preview = await stack.succeed("preview");
            assert.match(preview.stdout, /AgentJob.*create/);
            assert.deepEqual(lines.filter(isAboutAgentJob), [], "the preview made a job");

            await stack.up();
            assert.notDeepEqual(lines.filter(isAboutAgentJob), []);
            const id = String(await stack.output("jobId"));
            const branch = `agent/${id}`;
            const link = `https://forge.example.com/org/docs/compare/${branch}`;
            assert.deepEqual(
                [await stack.output("prLink"), await stack.output("status"), await stack.output("archivedAt")],
                [link, "completed", undefined],
            );
            assert.equal(await stack.output("shout"), link.toUpperCase());
            const read = (await stack.output("read")) as { id: string; prLink: string };
            assert.deepEqual([read.id, read.prLink], [id, link]);
            assert.equal(await remote.fileOn(branch, "a.md"), "One.");
            assert.match((await stack.up()).stdout, /2 unchanged/);

            await stack.writeProgram(program('pulumi.secret("append to a.md: Two, 5ecret.")'));
            await stack.up();
            assert.equal(await stack.output("jobId"), id);
            assert.equal(await remote.commitsOn(branch), 2);
            assert.equal(await remote.fileOn(branch, "a.md"), "One.\n\nTwo, 5ecret.");
            const { stdout } = await stack.succeed("stack", "export");
            assert.doesNotMatch(stdout, /5ecret/);

            await stack.succeed("refresh", "--yes", "--skip-preview");
            assert.match((await stack.up()).stdout, /2 unchanged/);
            await stack.succeed("destroy", "--yes", "--skip-preview");
            assert.deepEqual(await remote.branches(), [branch]);
        });
    });

    itInLong(
        "exports the site when the agent is done, as in examples/agent-job, and again after a message",
        async () => {
            await withAgentService({ pullRequests: { kind: "link", template } }, async (running) => {
                await writeFile(join(running.folder, "site", "index.md"), "# Welcome\n");
                const stack = await EngineStack.create({
                    program: new URL("../../../examples/agent-job/", import.meta.url),
                    config: { "static-export:baseUrl": running.service.url },
                    secret: { "static-export:adminApiKey": adminApiKey },
                });
                try {
                    const { stdout } = await stack.up();
                    assert.ok(stdout.indexOf("completed: https://forge") < stdout.indexOf("export started"), stdout);
                    const branch = String(await stack.output("branch"));
                    assert.equal(await stack.output("prLink"), template.replace("{branch}", branch));
                    assert.match(String(await stack.output("jobId")), /^se_/);
                    assert.equal(await running.remote.fileOn(branch, "guides/start.md"), "Keys expire after 90 days.");
                    await stack.configure({ config: { prompt: 'replace "90" with "30" in guides/start.md' } });
                    const second = await stack.up();
                    assert.match(second.stdout, /message sent[^]*export started[^]*~ 2 updated/);
                    assert.equal(await running.remote.fileOn(branch, "guides/start.md"), "Keys expire after 30 days.");
                } finally {
                    await stack.remove();
                }
            });
        },
    );
});
