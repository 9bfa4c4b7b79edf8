import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { readBuilderFile } from "@pulumi-static-export/exporter";
import { withFolder, writeFiles } from "../../exporter/support/site-fixture.js";

interface Run {
    readonly output: string;
    readonly exitCode: number | null;
}

const base = 'version: 2\nbuild:\n  os: ubuntu-24.04\n  tools:\n    python: "3"\n';

/** Runs the build of a file with programs that only print how they are called. */
async function run(text: string, env: Readonly<Record<string, string>> = {}): Promise<Run> {
    let outcome: Run = { output: "", exitCode: null };
    await withFolder(async (folder) => {
        const python = '#!/bin/sh\necho "python $*" in "$(basename "$PWD")"\n';
        await writeFiles(folder, { ".readthedocs.yaml": text, "docs/conf.py": "", "venv/bin/python": python });
        await chmod(join(folder, "venv/bin/python"), 0o755);
        const { command = "" } = readBuilderFile(folder) ?? {};
        const { stdout, stderr, status } = spawnSync("/bin/sh", ["-e", "-c", command], {
            cwd: folder,
            env: {
                PATH: process.env["PATH"],
                READTHEDOCS_OUTPUT: "OUT",
                READTHEDOCS_VIRTUALENV_PATH: join(folder, "venv"),
                ...env,
            },
            encoding: "utf8",
        });
        outcome = {
            output: `${stdout}${stderr}`.replaceAll(" --quiet --disable-pip-version-check", ""),
            exitCode: status,
        };
    });
    return outcome;
}

describe("A build in .readthedocs.yaml", () => {
    it("runs each command in its own shell, and ends with the first that fails", async () => {
        const commands =
            '  commands:\n    - cd docs && x=1\n    - echo "it\'s $x in $PWD"\n    - exit 3\n    - echo never\n';
        const { output, exitCode } = await run(base + commands);
        assert.match(output, /^it's {2}in .*(?<!docs)\n$/);
        assert.equal(exitCode, 3);
    });

    it("skips a commit with the exit code 183", async () => {
        const { exitCode } = await run(
            `${base}  jobs:\n    post_checkout:\n      - exit 183\nsphinx:\n  configuration: docs/conf.py\n`,
        );
        assert.equal(exitCode, 183);
    });

    it("installs, and builds with Sphinx in the folder of its settings, around the repository's own steps", async () => {
        const text =
            `${base}  jobs:\n    pre_install:\n      - echo before\n    post_build:\n      - echo after\n` +
            "sphinx:\n  configuration: docs/conf.py\n  builder: dirhtml\n  fail_on_warning: true\n" +
            "python:\n  install:\n    - requirements: docs/requirements.txt\n    - path: .\n      extra_requirements: [docs, a]\n";
        const { output } = await run(text);
        const lines = output
            .trim()
            .split("\n")
            .map((line) => line.replace(/ in [^/]*$/, (place) => (place === " in docs" ? place : "")));
        assert.deepEqual(lines, [
            "before",
            "python -m pip install sphinx",
            "python -m pip install --requirement docs/requirements.txt",
            "python -m pip install ./.[docs,a]",
            "python -m sphinx -T -W --keep-going -b dirhtml -d _build/doctrees -D language=en . OUT/html in docs",
            "after",
        ]);
    });

    it("builds with MkDocs, unless its steps replace the command", async () => {
        const mkdocs = "mkdocs:\n  configuration: mkdocs.yml\n";
        assert.match(
            (await run(base + mkdocs)).output,
            /python -m mkdocs build --clean --site-dir OUT\/html --config-file mkdocs\.yml/,
        );
        const jobs = "  jobs:\n    install:\n      - echo own\n    build:\n      html:\n        - echo built\n";
        assert.equal((await run(base + jobs + mkdocs)).output, "own\nbuilt\n");
    });

    it("has the variables of Read the Docs", async () => {
        const commands =
            '  commands:\n    - echo "$READTHEDOCS $READTHEDOCS_VERSION $READTHEDOCS_VERSION_TYPE $READTHEDOCS_CANONICAL_URL $READTHEDOCS_GIT_COMMIT_HASH"\n';
        const { output } = await run(base + commands, {
            ...{ STATIC_EXPORT_BRANCH: "next", STATIC_EXPORT_PREVIEW: "true", STATIC_EXPORT_COMMIT: "abc" },
            STATIC_EXPORT_URL: "https://next.example.com/",
        });
        assert.equal(output, "True next external https://next.example.com/ abc\n");
    });

    it("has the branch's name as its version, also next to a tag of this name, or else latest", async () => {
        const commit = "git -c user.name=a -c user.email=a@example.com commit --quiet --allow-empty --message a";
        await withFolder(async (folder) => {
            const commands = '  commands:\n    - echo "$READTHEDOCS_VERSION"\n';
            await writeFiles(folder, { ".readthedocs.yaml": base.replace(/ {2}tools:[^]*/, "") + commands });
            const { command = "" } = readBuilderFile(folder) ?? {};
            const sh = (text: string) =>
                spawnSync("/bin/sh", ["-e", "-c", text], {
                    cwd: folder,
                    env: { PATH: process.env["PATH"], HOME: folder },
                    encoding: "utf8",
                }).stdout;
            sh(`git init --quiet --initial-branch next; ${commit}; git tag next`);
            assert.equal(sh(command), "next\n");
            sh("git checkout --quiet --detach");
            assert.equal(sh(command), "latest\n");
        });
    });

    it("installs with uv, as the method uv says", async () => {
        const installed = async (install: string) => {
            const text = `${base}python:\n  install: [{ method: uv, ${install} }]\nmkdocs:\n  configuration: mkdocs.yml\n`;
            const { output } = await run(text);
            return output.split("\n").map((line) => line.replace(/ in [^ ]*$/, ""))[2];
        };
        assert.equal(await installed("command: sync"), "python -m uv sync --quiet --inexact");
        assert.equal(
            await installed("command: sync, groups: [docs], extras: all"),
            "python -m uv sync --quiet --inexact --group docs --all-extras",
        );
        assert.equal(
            await installed("command: pip, requirements: docs/all.txt"),
            "python -m uv pip install --quiet --requirement docs/all.txt",
        );
        assert.equal(
            await installed("command: pip, path: ., extras: [docs]"),
            "python -m uv pip install --quiet ./.[docs]",
        );
        await assert.rejects(installed("command: sync, requirements: a.txt"), /must have the command sync, with lists/);
    });

    it("says that its commands need asdf, if the machine has none", async () => {
        const commands = "  commands:\n    - asdf plugin add uv\n    - asdf install uv latest\n";
        const { output, exitCode } = await run(base + commands);
        assert.match(
            output,
            /^\.readthedocs\.yaml: its commands call asdf, which this machine does not have: install uv/,
        );
        assert.equal(exitCode, 1);
    });

    it("names the keys that are not followed, and versions that are not known, whatever command runs", async () => {
        await withFolder(async (folder) => {
            const tools = '  tools: { python: "miniconda3-4.7", nodejs: "22", rust: "1.91" }\n';
            const text = `build:\n${tools}  apt_packages: [graphviz]\n  commands: []\nformats: [pdf]\n`;
            await writeFiles(folder, { ".readthedocs.yaml": text });
            assert.deepEqual(readBuilderFile(folder)?.notes, [
                ".readthedocs.yaml: ignored keys: formats, build.apt_packages, build.tools.rust.",
                '.readthedocs.yaml: build.tools.python: "miniconda3-4.7" is not a version that builds know, such as ' +
                    "3.12: this build uses that of the machine.",
            ]);
        });
    });

    it("says that its jobs are ignored if it also has commands", async () => {
        await withFolder(async (folder) => {
            const text = "build:\n  commands: []\n  jobs: { post_build: [echo] }\n";
            await writeFiles(folder, { ".readthedocs.yaml": text });
            assert.deepEqual(readBuilderFile(folder)?.notes, [
                ".readthedocs.yaml: build.jobs is ignored, because build.commands replaces it.",
            ]);
        });
    });

    it("asks for its versions and submodules, and is nothing without a builder", async () => {
        await withFolder(async (folder) => {
            const text =
                'build:\n  tools: { python: "3.12", nodejs: "22" }\n  commands: []\nsubmodules: { include: all }\n';
            await writeFiles(folder, { ".readthedocs.yaml": text });
            const { python, node, submodules } = readBuilderFile(folder) ?? {};
            assert.deepEqual(
                { python, node, submodules },
                {
                    ...{ python: "3.12", node: "22" },
                    submodules: { folders: "all", isRecursive: false },
                },
            );
            const wanted = "include: [theme], recursive: true";
            await writeFiles(folder, { ".readthedocs.yaml": text.replace("include: all", wanted) });
            assert.deepEqual(readBuilderFile(folder)?.submodules, { folders: ["theme"], isRecursive: true });
            await writeFiles(folder, { ".readthedocs.yaml": text.replace("include: all", "include: 1") });
            assert.throws(() => readBuilderFile(folder), /submodules\.include must be all, or list folders\./);
            await writeFiles(folder, {
                ".readthedocs.yaml": text.replace("include: all", "include: all, recursive: 1"),
            });
            assert.throws(() => readBuilderFile(folder), /submodules\.recursive must be true or false\./);
            await writeFiles(folder, { ".readthedocs.yaml": base });
            assert.equal(readBuilderFile(folder), undefined);
        });
    });
});
