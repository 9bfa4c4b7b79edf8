import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { codeBlocks } from "../../docs/support/documents.js";
import { bin, run } from "../support/command.js";

/** Returns bash's completions for these words; the last word is incomplete. */
async function offered(script: string, ...words: string[]): Promise<string[]> {
    const typed = ["static-export", ...words];
    const call = `${script}
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_static_export
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)("bash", ["-c", call, "bash", ...typed]);
    return stdout.split("\n").filter(Boolean);
}

const completion = async (shell: string) => (await run(tmpdir(), ["completion", shell])).stdout;

describe("static-export completion", function () {
    this.timeout(120_000);

    it("lets bash complete commands, subcommands, and options", async () => {
        const script = await completion("bash");
        assert.deepEqual(await offered(script, "ex"), ["export"]);
        assert.deepEqual(await offered(script, "agent-job", "m"), ["message"]);
        assert.deepEqual(await offered(script, "export", "--do"), ["--domain"]);
        assert.deepEqual(await offered(script, "agent-job", "create", "--prompt"), ["--prompt", "--prompt-file"]);
        assert.ok((await offered(script, "export", "--domain", "docs.example.com", "--")).includes("--output"));
    });

    it("lets bash complete an option's fixed values, and leaves file names to the shell", async () => {
        const script = await completion("bash");
        assert.deepEqual(await offered(script, "preview", "--comment", ""), ["github", "gitlab"]);
        assert.deepEqual(await offered(script, "export", "--output", "s"), []);
    });

    it("is enabled by the line in the guide, which prints nothing if the command is not installed", async () => {
        const line = codeBlocks("docs/reference/command.md").find(({ text }) => text.includes("completion bash"));
        const folder = await mkdtemp(join(tmpdir(), "static-export-completion-"));
        try {
            await symlink(bin, join(folder, "static-export"));
            const enable = (...path: string[]) =>
                promisify(execFile)("bash", ["--norc", "-c", `${line?.text}\ncomplete -p static-export || echo none`], {
                    cwd: folder,
                    env: { PATH: [...path, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter) },
                });
            assert.match((await enable(folder)).stdout, /-F _static_export static-export\n$/);
            const { stdout, stderr } = await enable();
            assert.deepEqual([stdout, stderr.replace(/.*no completion specification\n$/, "")], ["none\n", ""]);
        } finally {
            await rm(folder, { recursive: true });
        }
    });

    it("generates the same completions for zsh, and one line per word for fish", async () => {
        assert.ok((await completion("zsh")).endsWith(await completion("bash")));
        const fish = await completion("fish");
        assert.match(fish, /^complete -c static-export -f -n '[^']*' -a export -d 'Export a site into a folder/m);
        assert.match(fish, /^complete -c static-export -n '__fish_seen_subcommand_from export' -l domain -r -d /m);
    });

    it("exits with 2 for an unknown shell", async () => {
        const { exitCode, stderr } = await run(tmpdir(), ["completion", "csh"]);
        assert.deepEqual([exitCode, /Allowed choices are bash, zsh, fish/.test(stderr)], [2, true]);
    });
});
