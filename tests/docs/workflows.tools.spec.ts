import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureTool } from "@pulumi-static-export/toolchain";
import { parse } from "yaml";
import { codeBlocks, documents, root } from "./support/documents.js";
import { type Workflow } from "./support/workflow-rules.js";

const examples = join(root, "examples");

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

/**
 * @param cwd - a repository; actionlint reads the inputs of its action, and checks its workflows if no file is given
 */
async function assertNoFaults(files: readonly string[], cwd?: string): Promise<void> {
    // Optional programs on PATH (shellcheck, pyflakes) differ from machine to machine.
    const args = ["-no-color", "-shellcheck=", "-pyflakes=", ...files];
    await promisify(execFile)(await ensureTool("actionlint"), args, { cwd }).catch((error: { stdout: string }) =>
        assert.fail(error.stdout),
    );
}

describe("the workflows of examples/pull-request-check and examples/preview-site", function () {
    this.timeout(300_000);

    it("pass actionlint, like the workflows of this repository", async () => {
        const folder = join(root, ".github", "workflows");
        const own = readdirSync(folder).map((name) => join(folder, name));
        await assertNoFaults([...names.map(fileOf), ...own]);
    });

    it("call the action only with inputs that it declares", async () => {
        const repository = await mkdtemp(join(tmpdir(), "static-export-action-"));
        try {
            const page = codeBlocks("docs/guides/pull-request-checks.md");
            const callers = page.filter(({ title }) => title?.startsWith(".github/workflows/"));
            assert.equal(callers.length, 3);
            await mkdir(join(repository, ".github", "workflows"), { recursive: true });
            await mkdir(join(repository, ".git"));
            await copyFile(join(root, "action.yml"), join(repository, "action.yml"));
            for (const { title = "", text } of callers) {
                const local = text.replace(/example--owner\/pulumi-static-export@v0/, "./");
                assert.notEqual(local, text);
                await writeFile(join(repository, title), local);
            }
            await assertNoFaults([], repository);
        } finally {
            await rm(repository, { recursive: true });
        }
    });

    it("pass actionlint in the form that the documentation shows", async () => {
        const shown = documents
            .flatMap(codeBlocks)
            .filter(({ title, text }) => title?.startsWith(".github/workflows/") && /^on:/m.test(text));
        assert.ok(shown.length > 0);
        const scratch = await mkdtemp(join(tmpdir(), "static-export-workflows-"));
        try {
            const files = shown.map(({ place }) => join(scratch, `${place.replace(/\W/g, "-")}.yml`));
            await Promise.all(files.map((file, index) => writeFile(file, shown[index]!.text)));
            await assertNoFaults(files);
        } finally {
            await rm(scratch, { recursive: true });
        }
    });

    it("grant no secrets and no write permission to the workflow that runs a pull request's code", () => {
        const text = read("pull-request-check.yml");
        assert.deepEqual(Object.keys(workflows["pull-request-check.yml"]?.on ?? {}), ["pull_request"]);
        assert.doesNotMatch(text, /\bsecrets\./);
        for (const { permissions, steps } of jobsOf("pull-request-check.yml")) {
            assert.deepEqual([...new Set(Object.values(permissions ?? {}))], ["read"]);
            const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
            checkouts.forEach(({ with: inputs }) => assert.equal(inputs?.["persist-credentials"], false));
        }
    });

    it("run no pull request code in the workflow that may comment", () => {
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

    it("pass the passphrase only to the workflow that runs on the main branch", () => {
        assert.deepEqual(workflows["redacted-stack.yml"]?.on, { push: { branches: ["main"] } });
        assert.match(read("redacted-stack.yml"), /secrets\.PULUMI_CONFIG_PASSPHRASE/);
    });
});
