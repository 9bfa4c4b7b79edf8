import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ScriptedExporter } from "../../service/support/scripted-exporter.js";
import { EngineStack } from "../support/engine-stack.js";
import { adminApiKey, domain, Platform } from "../support/platform.js";

const program = `
const bundle = new StaticExportBundle("docs", { domain: "${domain}" });
export const { jobId } = bundle;
`;
const up = ["up", "--yes", "--skip-preview"];

describe("concurrent runs on the real engine", () => {
    let exporter: ScriptedExporter;
    let platform: Platform;
    let journal: string;
    const stacks: EngineStack[] = [];

    beforeEach(async () => {
        journal = await mkdtemp(join(tmpdir(), "static-export-journal-"));
        exporter = new ScriptedExporter();
        platform = await Platform.start({ exporter });
    });
    afterEach(async () => {
        await Promise.all(stacks.splice(0).map((stack) => stack.remove()));
        await platform.stop();
        await rm(journal, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    });

    /** Creates a stack on this machine; all stacks share the journal. */
    const createStack = async () => {
        const stack = await EngineStack.create({
            program,
            config: { "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
            env: { STATIC_EXPORT_JOURNAL_DIR: journal },
        });
        stacks.push(stack);
        return stack;
    };

    const completeAll = async () => {
        for (let count = 1; ; count++) {
            await (await exporter.nth(count)).complete();
        }
    };

    it("share a job if another stack is already waiting for an export with the same inputs", async () => {
        const [first, second] = [await createStack(), await createStack()];
        const waiting = first.start(...up);
        await waiting.seen(/running, 0 %/);
        const adopting = second.start(...up);
        await adopting.seen(/adopted: another run started it for the same inputs/);
        await (await exporter.nth(1)).complete();
        assert.deepEqual([(await waiting.result).exitCode, (await adopting.result).exitCode], [0, 0]);
        assert.equal(await first.output("jobId"), await second.output("jobId"));
        assert.equal(platform.count("start"), 1);
    });

    it("start one job for two stacks with the same inputs that start at the same moment", async () => {
        const both = [await createStack(), await createStack()];
        const runs = both.map((stack) => stack.start(...up));
        await Promise.all(runs.map((run) => run.seen(/export started|waiting for its job|adopted: another run/)));
        void completeAll();
        for (const { result } of runs) {
            const { exitCode, output } = await result;
            assert.equal(exitCode, 0, output);
        }
        const jobs = new Set(await Promise.all(both.map((stack) => stack.output("jobId"))));
        assert.equal(platform.count("start"), 1);
        const entries = await Promise.all(
            (await readdir(journal)).map((name) =>
                // A provider removes its heartbeat when it ends.
                readFile(join(journal, name), "utf8").catch(() => "{}"),
            ),
        );
        const journaled = entries.map((text) => (JSON.parse(text) as { jobId?: string }).jobId);
        assert.deepEqual(new Set(journaled.filter((jobId) => jobId !== undefined)), jobs);
        await Promise.all(both.map((stack) => stack.succeed("preview", "--expect-no-changes")));
    });

    it("are not affected by a second run on the same stack, which Pulumi's lock rejects", async () => {
        const stack = await createStack();
        const waiting = stack.start(...up);
        await waiting.seen(/running, 0 %/);
        const { exitCode, output } = await stack.run(...up);
        assert.notEqual(exitCode, 0);
        assert.match(output, /the stack is currently locked/);
        await (await exporter.nth(1)).complete();
        assert.equal((await waiting.result).exitCode, 0);
        assert.equal(platform.count("start"), 1);
    });
});

describe("an admin API key that is rotated while a job runs, on the real engine,", () => {
    it("ends the run with a 401 and keeps the job, and the next run resumes the job with the new key", async () => {
        const before = await Platform.start({ exporter: new ScriptedExporter() });
        const stack = await EngineStack.create({
            program,
            config: { "static-export:baseUrl": before.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
        });
        const run = stack.start(...up);
        const [, jobId] = await run.seen(/(se_\w+): running, 0 %/);
        await before.service.close();
        const exporter = new ScriptedExporter();
        const rotated = "e2e_rotated0123456789abcdef";
        const after = await Platform.start({
            dataDir: join(before.folder, "data"),
            port: Number(new URL(before.service.url).port),
            adminApiKey: rotated,
            exporter,
        });
        try {
            const { exitCode, output } = await run.result;
            assert.notEqual(exitCode, 0);
            assert.match(output, new RegExp(`${jobId} of ${domain}: the server answered 401.*Set adminApiKey to`, "s"));
            assert.equal((await stack.resource())?.outputs.pendingJobId, jobId);
            await stack.configure({ secret: { "static-export:adminApiKey": rotated } });
            await (await exporter.nth(1)).complete();
            await stack.up();
            assert.equal(await stack.output("jobId"), jobId);
            assert.equal(before.count("start") + after.count("start"), 1);
        } finally {
            await stack.remove();
            await after.stop();
            await before.stop();
        }
    });
});
