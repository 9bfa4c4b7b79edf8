import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { adminApiKey, Platform } from "../e2e/support/platform.js";
import { InstalledProject } from "../e2e/packages/support/installed-project.js";
import { cachedPackage, nodeFolder } from "../e2e/packages/support/npm-cache.js";
import { packPackages } from "../e2e/packages/support/packed-packages.js";
import { type CommandResult, startCommand } from "../e2e/support/run-command.js";
import { isLong } from "../scale.js";
import { codeBlocks, root } from "./support/documents.js";
import { readComponent } from "./support/gitlab-component.js";

const page = "docs/guides/pipelines.md";
const titled = (title: string) => codeBlocks(page).find((block) => block.title === title)?.text ?? "";
/** Returns the script that the page writes with `cat > publish.sh <<'EOF'`. */
const publishScript = () =>
    codeBlocks(page)
        .map(({ text }) => /^cat > publish\.sh <<'EOF'\n(.*?\n)EOF$/ms.exec(text)?.[1])
        .find((text) => text !== undefined) ?? "";

const git = (folder: string, env: NodeJS.ProcessEnv) => async (command: string) => {
    const { exitCode, output } = await startCommand("bash", ["-ec", command], { cwd: folder, env }).result;
    assert.equal(exitCode, 0, output);
};

/** Creates a repository like one that GitLab has checked out. */
async function makeRepository(folder: string, env: NodeJS.ProcessEnv = process.env): Promise<void> {
    await git(
        folder,
        env,
    )(
        "git init -q -b main .; git add -A; " +
            "git -c user.name=Reader -c user.email=reader@example.com commit -q -m Start; " +
            "git remote add origin git@gitlab.example.com:acme/docs.git",
    );
}

/** Checks GitLab CI's files against GitLab's schema, then runs them on this machine. */
async function gitlabCiLocal(folder: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<CommandResult> {
    // GitLab's runner requires Node.js 22.
    const node = await nodeFolder("22.23.3");
    const program = join(await cachedPackage("gitlab-ci-local", "4.75.1"), "dist", "index.js");
    const PATH = [node, env["PATH"] ?? process.env["PATH"]].join(delimiter);
    const options = ["--home", join(folder, ".gitlab-home"), ...args];
    return startCommand(join(node, "node"), [program, ...options], {
        cwd: folder,
        env: { ...process.env, ...env, PATH },
    }).result;
}

describe("the GitLab pipelines in the documentation", function () {
    this.timeout(900_000);

    describe("checked against GitLab's schema", () => {
        let folder: string;
        beforeEach(async () => {
            folder = await mkdtemp(join(tmpdir(), "static-export-gitlab-"));
        });
        afterEach(() => rm(folder, { recursive: true }));

        const jobsOf = async (text: string) => {
            await writeFile(join(folder, ".gitlab-ci.yml"), text);
            await makeRepository(folder);
            const { exitCode, output, stdout } = await gitlabCiLocal(folder, ["--list-json"]);
            assert.equal(exitCode, 0, output);
            assert.match(output, /json schema validated/);
            return (JSON.parse(stdout.slice(stdout.indexOf("[\n"))) as { name: string }[]).map(({ name }) => name);
        };

        it("contain the jobs that the page describes", async () => {
            assert.deepEqual(await jobsOf(titled(".gitlab-ci.yml")), ["publish"]);
        });

        for (const [example, jobs] of Object.entries({
            "pull-request-check": ["redact", "check", "comment"],
            "preview-site": ["compare", "deploy", "remove"],
        })) {
            it(`contain the jobs of examples/${example}`, async () => {
                const file = join(root, "examples", example, "gitlab", ".gitlab-ci.yml");
                assert.deepEqual(await jobsOf(await readFile(file, "utf8")), jobs);
            });
        }

        it("contain the jobs of the component", async () => {
            assert.deepEqual(await jobsOf(readComponent({ stack: "dev" }).text), ["redact-dev", "preview-dev"]);
        });

        it("are refused if they contain an unknown key", async () => {
            await assert.rejects(jobsOf(titled(".gitlab-ci.yml").replace("timeout:", "timeouts:")), /timeouts/);
        });
    });

    // Installs the packages three times, so the spec runs only in `npm run test:all`.
    if (isLong) {
        it("publish twice with the page's job and script, the packed packages and a local service", async () => {
            const { provider, cli } = await packPackages();
            const platform = await Platform.start();
            let project: InstalledProject | undefined;
            try {
                project = await InstalledProject.create({
                    node: "22.23.3",
                    manifest: {
                        main: "index.ts",
                        dependencies: {
                            "@pulumi/pulumi": "3.270.0",
                            "@types/node": "24.19.2",
                            typescript: "6.0.3",
                            "pulumi-static-export": "file:./provider.tgz",
                            "@pulumi-static-export/cli": "file:./cli.tgz",
                        },
                    },
                    files: {
                        // The file is in the repository, as the page says.
                        "provider.tgz": await readFile(provider),
                        "cli.tgz": await readFile(cli),
                        "index.ts": titled("index.ts"),
                        "tsconfig.json": `{ "compilerOptions": { "module": "nodenext", "types": ["node"] }, "files": ["index.ts"] }`,
                        "publish.sh": publishScript(),
                        ".gitlab-ci.yml": titled(".gitlab-ci.yml"),
                        ".gitignore": "node_modules\n.bin\n.home\n.state\n.journal\n.gitlab-*\n!.gitlab-ci.yml\n",
                        // Pulumi is already installed, so its installer is not downloaded.
                        ".bin/curl": "#!/bin/sh\necho true\n",
                        // The runner checks out with rsync, which not every machine has.
                        ".bin/rsync":
                            '#!/bin/sh\nfor to; do :; done; mkdir -p "$to"; git archive HEAD | tar -x -C "$to"\n',
                    },
                });
                for (const stand of ["curl", "rsync"]) {
                    await chmod(join(project.folder, ".bin", stand), 0o755);
                }
                await project.pulumiSucceeds(["stack", "init", "production"]);
                await makeRepository(project.folder, { ...process.env, PATH: project.path });
                const settings = { ...project.settings, STATIC_EXPORT_ADMIN_API_KEY: adminApiKey };
                const publish = async (folder: string, path: string) => {
                    const result = await gitlabCiLocal(
                        folder,
                        [
                            "publish",
                            "--force-shell-executor",
                            "--variable",
                            `STATIC_EXPORT_BASE_URL=${platform.service.url}`,
                        ],
                        { ...settings, PATH: [join(folder, ".bin"), path].join(delimiter) },
                    );
                    assert.equal(result.exitCode, 0, result.output);
                    return result.output;
                };
                assert.match(await publish(project.folder, project.path), /\+ 2 created/);
                assert.equal(platform.count("start"), 1);
                assert.match(await publish(project.folder, project.path), /2 unchanged/);
                assert.equal(platform.count("start"), 1);
            } finally {
                await project?.remove();
                await platform.stop();
            }
        });
    }
});
