import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { prepareCommand } from "../../../service/src/builds/build-script.js";
import { type Files, withFolder, writeFiles } from "../../exporter/support/site-fixture.js";

type Settings = Parameters<typeof prepareCommand>[0];

/** Commits the files, and completes the checkout with a git whose submodule command only prints how it is called. */
async function complete(files: Files, settings: Settings, submodule = 'echo "$@"', before = "true"): Promise<string> {
    let text = "";
    await withFolder(async (folder) => {
        const root = join(folder, "site");
        await mkdir(root);
        await writeFiles(root, files);
        spawnSync("/bin/sh", ["-c", `git init --quiet; ${before}; git add . 2>/dev/null`], { cwd: root });
        const others = 'exec /usr/bin/env PATH="$REST" git "$@"';
        const git = `#!/bin/sh\nif [ "$1" = submodule ]; then ${submodule}; else ${others}; fi\n`;
        await writeFiles(folder, { "bin/git": git });
        await chmod(join(folder, "bin/git"), 0o755);
        const command = prepareCommand(settings, { base: root, root }) ?? "";
        const rest = process.env["PATH"] ?? "";
        const { stdout, stderr } = spawnSync("/bin/sh", ["-e", "-c", command, "sh", root, "", "", root], {
            cwd: root,
            env: { PATH: `${join(folder, "bin")}:${rest}`, REST: rest },
            encoding: "utf8",
        });
        text = `${stdout}${stderr}`.trim();
    });
    return text;
}

const modules = '[submodule "theme"]\n\tpath = theme\n\turl = ../theme.git\n';

describe("The parts of a repository that a fetch leaves out", () => {
    it("are files of Git LFS, also if only a folder's attributes name them", async () => {
        const files = { "docs/.gitattributes": "*.png filter=lfs diff=lfs\n" };
        assert.match(await complete(files, {}), /^Files of Git LFS are left out, unless build\.lfs is true/);
    });

    it("are none without attributes for Git LFS", async () => {
        assert.equal(await complete({ "docs/.gitattributes": "*.png binary\n" }, {}), "");
        assert.equal(await complete({ "docs/a.md": "# A" }, {}), "");
    });

    it("are all submodules, or only those in the wanted folders", async () => {
        const files = { ".gitmodules": modules };
        const update = "submodule --quiet update --init";
        assert.equal(await complete(files, { submodules: true }), `${update} --recursive --depth 1`);
        const only = (folders: "all" | string[]) => ({ submodules: { folders, isRecursive: false } });
        assert.equal(await complete(files, only("all")), `${update} --depth 1`);
        assert.equal(await complete(files, only(["the;me", "b"])), `${update} --depth 1 -- the;me b`);
        assert.match(await complete(files, only([])), /^Submodules are left out.* theme$/);
    });

    it("are fetched with their history from servers that send no single commit", async () => {
        const submodule = 'echo "$@"; case "$*" in *--depth*) exit 1 ;; esac';
        const submodules = { folders: ["b"], isRecursive: true };
        const lines = (await complete({ ".gitmodules": modules }, { submodules }, submodule)).split("\n");
        assert.equal(lines.at(-1), "submodule --quiet update --init --recursive -- b");
    });

    it("are repositories in folders that .gitmodules does not name, which the log says", async () => {
        const embedded = (folder: string) =>
            `git init --quiet "${folder}"; git -C "${folder}" -c user.name=a -c user.email=a@b commit --quiet --allow-empty -m a`;
        const script = `${embedded("theme")}; ${embedded("my docs")}`;
        const text = "These folders are empty, because they are repositories that .gitmodules does not name:";
        assert.equal(await complete({ "a.md": "# A" }, {}, "true", script), `${text} my docs theme`);
        assert.equal(
            await complete({ ".gitmodules": modules }, { submodules: true }, "true", script),
            `${text} my docs`,
        );
    });
});
