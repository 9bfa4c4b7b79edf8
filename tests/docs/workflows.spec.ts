import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureTool } from "@pulumi-static-export/toolchain";
import { parse } from "yaml";
import { codeBlocks, documents, root } from "./support/documents.js";

const examples = join(root, "examples");

interface Job {
    if?: string;
    env?: Record<string, string>;
    permissions?: Record<string, string>;
    steps: { uses?: string; run?: string; with?: Record<string, unknown> }[];
}

interface Workflow {
    on: Record<string, unknown>;
    permissions: Record<string, string>;
    jobs: Record<string, Job>;
}

const folders = {
    "redacted-stack.yml": "pull-request-check",
    "pull-request-check.yml": "pull-request-check",
    "pull-request-comment.yml": "pull-request-check",
    "preview-site.yml": "preview-site",
    "remove-previews.yml": "preview-site",
};
type Name = keyof typeof folders;
const names = Object.keys(folders) as Name[];
const fileOf = (name: Name) => join(examples, folders[name], "github", name);
const read = (name: Name) => readFileSync(fileOf(name), "utf8");
const workflows = Object.fromEntries(names.map((name) => [name, parse(read(name)) as Workflow]));
const jobsOf = (name: Name) => Object.values(workflows[name]?.jobs ?? {});

describe("the workflows of examples/pull-request-check and examples/preview-site", () => {
    it("have nothing that actionlint objects to", async function () {
        this.timeout(300_000);
        const actionlint = await ensureTool("actionlint");
        // What it would find on PATH (shellcheck, pyflakes) differs from machine to machine.
        const args = ["-no-color", "-shellcheck=", "-pyflakes=", ...names.map(fileOf)];
        await promisify(execFile)(actionlint, args).catch((error: { stdout: string }) => assert.fail(error.stdout));
    });

    it("have nothing that actionlint objects to where a page shows one", async function () {
        this.timeout(300_000);
        const actionlint = await ensureTool("actionlint");
        const shown = documents
            .flatMap(codeBlocks)
            .filter(({ title, text }) => title?.startsWith(".github/workflows/") && /^on:/m.test(text));
        assert.ok(shown.length > 0);
        const scratch = await mkdtemp(join(tmpdir(), "static-export-workflows-"));
        try {
            for (const [index, { text, place }] of shown.entries()) {
                const file = join(scratch, `${index}.yml`);
                await writeFile(file, text);
                const args = ["-no-color", "-shellcheck=", "-pyflakes=", file];
                await promisify(execFile)(actionlint, args).catch((error: { stdout: string }) =>
                    assert.fail(`${place}: ${error.stdout}`),
                );
                const { permissions, jobs } = parse(text) as Workflow;
                assert.deepEqual(permissions, {}, place);
                for (const { uses } of Object.values(jobs).flatMap(({ steps }) => steps)) {
                    assert.match(uses ?? "pinned@".padEnd(47, "0"), /@[\da-f]{40}$/, place);
                }
            }
        } finally {
            await rm(scratch, { recursive: true });
        }
    });

    for (const name of names) {
        it(`take nothing by default and pin every action by its commit: ${name}`, () => {
            assert.deepEqual(workflows[name]?.permissions, {});
            const actions = jobsOf(name).flatMap(({ steps }) => steps.flatMap(({ uses = [] }) => uses));
            assert.ok(actions.length > 0);
            for (const action of actions) {
                assert.match(action, /^actions\/[\w-]+@[\da-f]{40}$/);
            }
            for (const pinned of read(name).matchAll(/uses: (.*)/g)) {
                assert.match(pinned[1] ?? "", /^\S+ # v\d+\.\d+\.\d+$/);
            }
        });

        it(`put no text that a pull request chooses into a script: ${name}`, () => {
            for (const { run = "" } of jobsOf(name).flatMap(({ steps }) => steps)) {
                assert.doesNotMatch(run, /\$\{\{/);
            }
        });
    }

    it("give no secret and no write permission to the one that runs the pull request's code", () => {
        const text = read("pull-request-check.yml");
        assert.deepEqual(Object.keys(workflows["pull-request-check.yml"]?.on ?? {}), ["pull_request"]);
        assert.doesNotMatch(text, /\bsecrets\./);
        for (const { permissions, steps } of jobsOf("pull-request-check.yml")) {
            assert.deepEqual([...new Set(Object.values(permissions ?? {}))], ["read"]);
            const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
            checkouts.forEach(({ with: inputs }) => assert.equal(inputs?.["persist-credentials"], false));
        }
    });

    it("run no code of the pull request in the one that may comment", () => {
        assert.deepEqual(Object.keys(workflows["pull-request-comment.yml"]?.on ?? {}), ["workflow_run"]);
        for (const { permissions, steps } of jobsOf("pull-request-comment.yml")) {
            assert.deepEqual(permissions, { actions: "read", contents: "read", "pull-requests": "write" });
            const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
            assert.deepEqual(
                checkouts.map(({ with: inputs }) => inputs?.["ref"]),
                ["${{ github.event.repository.default_branch }}"],
            );
        }
        assert.doesNotMatch(read("pull-request-comment.yml"), /\bsecrets\./);
    });

    it("give secrets to no job that a pull request from a fork starts", () => {
        const ownBranch = "github.event.pull_request.head.repo.full_name == github.repository";
        for (const job of [...jobsOf("preview-site.yml"), ...jobsOf("remove-previews.yml")]) {
            const isOwn = [ownBranch, `github.event_name == 'schedule' || ${ownBranch}`].includes(job.if ?? "");
            const needsTrust = /secrets\.|"write"/.test(JSON.stringify(job));
            assert.equal(isOwn, needsTrust, JSON.stringify(job));
        }
    });

    it("give the passphrase only to the one that runs on the main branch", () => {
        assert.deepEqual(workflows["redacted-stack.yml"]?.on, { push: { branches: ["main"] } });
        assert.match(read("redacted-stack.yml"), /secrets\.PULUMI_CONFIG_PASSPHRASE/);
    });
});
