import assert from "node:assert/strict";
import { chmod, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { parse } from "yaml";
import { startCommand } from "../e2e/support/run-command.js";
import { withFolder } from "../service/support/running-service.js";
import { root } from "./support/documents.js";

interface GithubFile {
    defaults?: { run: { "working-directory": string } };
    jobs: Record<string, { steps: { run?: string; with?: Record<string, string> }[] }>;
}

/** GitLab's lists of commands may contain lists. */
type GitlabJob = Record<"script", (string | string[])[]> & { artifacts?: { paths: string[] } };
type GitlabFile = Record<string, GitlabJob> & { default: { before_script?: string[] } };

const example = join(root, "examples", "preview-site");
const read = async (file: string): Promise<unknown> => parse(await readFile(join(example, file), "utf8"));

const command = join(root, "cli", "bin", "static-export.js");
const programs = {
    ...{ npm: "exit 0", curl: "exit 0", "apt-get": "exit 0" },
    // The command after `--no --`, from this repository.
    npx: `shift 3; exec ${process.execPath} ${command} "$@"`,
    // A script of the example, which must be where the pipeline looks for it.
    node: 'test -f "$1" && echo "$*" >> "$CALLS"',
};

/**
 * Makes a repository as the guide describes it, and runs commands in it as a pipeline does.
 *
 * @param expected the calls of scripts after the one that takes pictures
 * @param use returns the folder of the artifact
 */
async function inRepository(
    expected: readonly string[],
    use: (run: (script: string, folder?: string) => Promise<void>) => Promise<string>,
): Promise<void> {
    await withFolder(async (folder) => {
        const [repository, bin, calls] = [join(folder, "repository"), join(folder, "bin"), join(folder, "calls")];
        await Promise.all([repository, bin].map((each) => mkdir(each)));
        for (const [name, text] of Object.entries(programs)) {
            await writeFile(join(bin, name), `#!/bin/sh\n${text}\n`);
            await chmod(join(bin, name), 0o755);
        }
        await writeFile(calls, "");
        await cp(example, join(repository, "preview-site"), { recursive: true });
        const deploy = '#!/bin/sh\ntest -f "$3/index.md" && echo "deploy-preview.sh $1 $2" >> "$CALLS"\n';
        await writeFile(join(repository, "preview-site", "deploy-preview.sh"), deploy);
        await mkdir(join(repository, "docs"));
        await writeFile(join(repository, "docs", "index.md"), "# Before\n");
        const env = {
            ...process.env,
            ...{ PATH: `${bin}${delimiter}${process.env["PATH"]}`, CALLS: calls },
            ...{ GITHUB_STEP_SUMMARY: join(folder, "summary"), GITHUB_OUTPUT: join(folder, "outputs") },
            ...{ NUMBER: "12", HEAD_SHA: "1f2e3d4", URL: "https://pr-12.previews.example.com/", RUN: "run" },
            ...{ CI_MERGE_REQUEST_IID: "12", CI_COMMIT_SHA: "1f2e3d4", CI_MERGE_REQUEST_DIFF_BASE_SHA: "HEAD" },
        };
        const run = async (script: string, from = "."): Promise<void> => {
            const options = { cwd: join(repository, from), env };
            const { exitCode, output } = await startCommand("bash", ["-eo", "pipefail", "-c", script], options).result;
            assert.equal(exitCode, 0, output);
        };
        await run("git init -q; git add -A; git -c user.name=R -c user.email=r@example.com commit -qm Start");
        await writeFile(join(repository, "docs", "index.md"), "# After\n");
        const artifact = join(repository, await use(run));
        assert.match(await readFile(join(artifact, "changes.txt"), "utf8"), /changed +\//);
        assert.match(await readFile(join(artifact, "site", "index.html"), "utf8"), /After/);
        const lines = (await readFile(calls, "utf8")).trim().split("\n");
        assert.deepEqual(lines, ["take-pictures.mjs before preview/site preview/pictures", ...expected]);
    });
}

describe("The pipelines of examples/preview-site, in a repository with the folders docs and preview-site", function () {
    this.timeout(120_000);

    it("find the pages and the scripts on GitHub", async () => {
        const pages = (await read("github/preview-site.yml")) as GithubFile;
        const removal = (await read("github/remove-previews.yml")) as GithubFile;
        const deployed = [
            "deploy-preview.sh 12 1f2e3d4",
            "comment-preview.mjs 12 https://pr-12.previews.example.com/ run",
        ];
        await inRepository([...deployed, "remove-previews.mjs 12"], async (run) => {
            await run("git worktree add -q target-branch HEAD");
            for (const { defaults, jobs } of [pages, removal]) {
                for (const { steps } of Object.values(jobs)) {
                    for (const step of steps) {
                        await run(step.run ?? "true", defaults?.run["working-directory"]);
                    }
                }
            }
            const uploaded = pages.jobs["compare"]?.steps.find(({ with: inputs }) => inputs?.["name"] === "preview");
            return uploaded?.with?.["path"] ?? "";
        });
    });

    it("find the pages and the scripts on GitLab", async () => {
        const file = (await read("gitlab/.gitlab-ci.yml")) as GitlabFile;
        await inRepository(["deploy-preview.sh 12 1f2e3d4", "remove-previews.mjs 12"], async (run) => {
            for (const name of ["compare", "deploy", "remove"]) {
                await run([...(file.default.before_script ?? []), ...(file[name]?.script.flat() ?? [])].join("\n"));
            }
            return file["compare"]?.artifacts?.paths[0] ?? "";
        });
    });
});
