import assert from "node:assert/strict";
import { Git } from "../../../service/src/git/git.js";
import { ProcessMark } from "../../../service/src/processes/process-mark.js";
import { withFolder } from "../../sdk/support/files.js";

const git = new Git({ mark: ProcessMark.ofGit("/data"), protocol: "none", env: { PATH: process.env["PATH"] } });

describe("The output of a git command", () => {
    it("is standard output alone, although git warns", async () => {
        await withFolder(async (cwd) => {
            await git.run(["init", "--quiet", "--template="], { cwd });
            const object = await git.run(["hash-object", "-w", "--stdin"], { cwd, stdin: "text" });
            await git.run(["update-ref", "refs/tags/one", object], { cwd });
            await git.run(["update-ref", "refs/one", object], { cwd });
            assert.equal(await git.run(["rev-parse", "one"], { cwd }), object);
        });
    });

    it("is not cut: too much of it fails the command", async () => {
        await withFolder(async (cwd) => {
            await git.run(["init", "--quiet", "--template="], { cwd });
            await git.run(["config", "alias.zeros", "!head -c 70000000 /dev/zero"], { cwd });
            await assert.rejects(git.run(["zeros"], { cwd }), /^GitError: git zeros printed too much/);
        });
    });
});
