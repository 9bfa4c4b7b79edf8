import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AdminClient } from "@pulumi-static-export/sdk";
import { ScriptedExporter } from "../service/support/scripted-exporter.js";
import { EngineStack } from "./support/engine-stack.js";
import { adminApiKey, domain, Platform } from "./support/platform.js";

/**
 * The output of `pulumi stack export` in the first release: after an export, and after an export that took longer than
 * `timeoutSeconds: 1`. JOB_ID replaces the job's id, and BASE_URL the platform's address, because a refresh reads the
 * provider's configuration from the state.
 */
const fixtures = { done: "state-0.1.0.json", pending: "state-0.1.0-pending.json" } as const;

const program = (version: string) =>
    `new StaticExportBundle("docs", { domain: "${domain}", version: "${version}" });\n`;

let platform: Platform;
let stack: EngineStack;
let jobId: string;

async function startJob(wait: boolean): Promise<void> {
    const client = new AdminClient({ baseUrl: platform.service.url, adminApiKey });
    ({ jobId } = await client.staticExports.start({ domain, version: "1" }));
    if (wait) {
        await client.staticExports.pollUntilDone(jobId);
    }
    client.close();
}

async function importState(fixture: string): Promise<void> {
    stack = await EngineStack.create({
        program: program("1"),
        config: { "static-export:baseUrl": platform.service.url },
        secret: { "static-export:adminApiKey": adminApiKey },
    });
    const state = join(stack.folder, "imported.json");
    const text = await readFile(new URL(`./fixtures/${fixture}`, import.meta.url), "utf8");
    await writeFile(state, text.replaceAll("JOB_ID", jobId).replaceAll("BASE_URL", platform.service.url));
    await stack.succeed("stack", "import", "--file", state);
    platform.requests.length = 0;
}

/**
 * Returns the resource's identity and outputs, with the link in plain text because its encryption differs in every
 * file.
 */
async function inClear(): Promise<{ id: string; outputs: Record<string, unknown> }> {
    const { stdout } = await stack.succeed("stack", "export", "--show-secrets");
    const { deployment } = JSON.parse(stdout) as {
        deployment: { resources: { type: string; id: string; outputs: Record<string, unknown> }[] };
    };
    const found = deployment.resources.find(({ type }) => type.includes("static-export:"));
    assert.ok(found, "the resource is gone from the state");
    return { id: found.id, outputs: found.outputs };
}

async function removeAll(): Promise<void> {
    await stack.remove();
    await platform.stop();
}

describe("a state written by the first release", () => {
    beforeEach(async () => {
        platform = await Platform.start();
        await startJob(true);
        await importState(fixtures.done);
    });

    afterEach(removeAll);

    it("is read by the current release without a change to the resource or its outputs", async () => {
        const before = await inClear();
        await stack.succeed("refresh", "--yes", "--skip-preview");
        assert.deepEqual(
            platform.requests.map(({ operation }) => operation),
            ["get"],
        );
        assert.deepEqual(await inClear(), before);
        assert.equal(before.outputs.jobId, jobId);
    });

    it("receives a new link because the old link has expired, and then shows no diff", async () => {
        await stack.up();
        assert.deepEqual(
            platform.requests.map(({ operation }) => operation),
            ["bundle"],
        );
        assert.equal((await stack.resource())?.outputs.jobId, jobId);
        await stack.succeed("preview", "--expect-no-changes");
    });

    it("is updated by the current release", async () => {
        await stack.writeProgram(program("2"));
        await stack.up();
        assert.notEqual((await stack.resource())?.outputs.jobId, jobId);
        assert.equal(platform.count("start"), 1);
    });

    it("is deleted by the current release", async () => {
        await stack.succeed("destroy", "--yes", "--skip-preview");
        assert.equal(await stack.resource(), undefined);
        assert.deepEqual(platform.requests, []);
    });
});

describe("a state that the first release wrote after its wait timed out", () => {
    let exporter: ScriptedExporter;

    beforeEach(async () => {
        exporter = new ScriptedExporter();
        platform = await Platform.start({ exporter });
        await startJob(false);
        await importState(fixtures.pending);
    });

    afterEach(removeAll);

    it("is previewed as an update in place, without a request", async () => {
        const { output } = await stack.succeed("preview", "--diff");
        assert.match(output, /~ 1 to update/);
        assert.deepEqual(platform.requests, []);
    });

    it("keeps its job through a refresh by the current release, and the next pulumi up resumes the job", async () => {
        const before = await inClear();
        await stack.succeed("refresh", "--yes", "--skip-preview");
        assert.deepEqual(
            platform.requests.map(({ operation }) => operation),
            ["get"],
        );
        assert.deepEqual(await inClear(), before);
        await (await exporter.nth(1)).complete();
        await stack.up();
        assert.equal((await stack.resource())?.outputs.jobId, jobId);
        assert.equal(platform.count("start"), 0);
    });

    it("is resumed by the current release with the same job, and then shows no diff", async () => {
        const run = stack.start("up", "--yes", "--skip-preview");
        await run.seen(new RegExp(`${jobId}: running`));
        await (await exporter.nth(1)).complete();
        const { exitCode, output } = await run.result;
        assert.equal(exitCode, 0, output);
        const { outputs } = await inClear();
        assert.equal(outputs.jobId, jobId);
        assert.equal(outputs.pendingJobId, undefined);
        assert.equal(platform.count("start"), 0);
        assert.equal(platform.count("bundle"), 1);
        await stack.succeed("preview", "--expect-no-changes");
    });

    it("is deleted by the current release without a request", async () => {
        await stack.succeed("destroy", "--yes", "--skip-preview");
        assert.equal(await stack.resource(), undefined);
        assert.deepEqual(platform.requests, []);
    });
});
