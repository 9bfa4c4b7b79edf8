import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type CommitOptions, resolveCommits } from "../../../service/src/agents/commit-options.js";
import { type AgentService, withAgentService } from "../../e2e/agent/agent-service.js";
import { withFolder } from "../../sdk/support/files.js";

const run = promisify(execFile);

/** Runs an agent that changes a file. @returns the job's branch */
async function withCommit(
    commits: CommitOptions,
    use: (running: AgentService, branch: string) => Promise<void>,
): Promise<void> {
    await withAgentService({ command: ["sh", "-c", "cat >> index.md"], commits }, async (running) => {
        const { id, status } = await running.run("More.");
        assert.equal(status, "completed", await running.log(id));
        await use(running, `agent/${id}`);
    });
}

const show = ({ remote }: AgentService, branch: string, format: string) =>
    remote.git("log", "-1", `--format=${format}`, branch);

/** Creates an SSH key. */
async function withKey(passphrase: string, use: (file: string) => Promise<void>): Promise<void> {
    await withFolder(async (folder) => {
        const file = join(folder, "signing-key");
        await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", passphrase, "-C", "docs", "-f", file]);
        await use(file);
    });
}

describe("The commit of an agent", function () {
    this.timeout(60_000);

    it("has the agent's name and the job's id, and no signature, if nothing else is set", async () => {
        await withCommit({}, async (running, branch) => {
            const id = branch.replace("agent/", "");
            assert.equal(
                await show(running, branch, "%an %ae %cn %ce %G? %s"),
                "Documentation agent agent@static-export.invalid Documentation agent agent@static-export.invalid N " +
                    `Change the documentation (agent job ${id})`,
            );
        });
    });

    it("has the configured name, address and message, with the ids of the job and the project", async () => {
        const message = "docs({project}): {job}\n\nSigned-off-by: Zoë <zoe@example.com>";
        await withCommit({ name: "Zoë", email: "zoe@example.com", message }, async (running, branch) => {
            assert.equal(
                await show(running, branch, "%an %ae %cn %ce%n%B"),
                `Zoë zoe@example.com Zoë zoe@example.com\n${message
                    .replace("{project}", "docs")
                    .replace("{job}", branch.replace("agent/", ""))}`,
            );
        });
    });

    it("is signed with the SSH key, which git verifies, and which is in no log", async () => {
        await withKey("", async (file) => {
            await withCommit({ email: "zoe@example.com", signingKeyFile: file }, async (running, branch) => {
                const signers = `${file}.signers`;
                await writeFile(signers, `zoe@example.com ${await readFile(`${file}.pub`, "utf8")}`);
                const verify = ["-c", `gpg.ssh.allowedSignersFile=${signers}`, "verify-commit", branch];
                await running.remote.git(...verify);
                const key = (await readFile(file, "utf8")).split("\n").filter((line) => /^[\w+/=]{20,}$/.test(line));
                assert.ok(key.length > 2);
                const logs = (await running.log(branch.replace("agent/", ""))) + running.lines.join("\n");
                assert.ok(key.every((line) => !logs.includes(line)));
            });
        });
    });
});

describe("The log of an agent's run", function () {
    this.timeout(60_000);

    it("names the first files of its commit that Git LFS would have stored", async () => {
        const script = 'echo "*.png filter=lfs" > .gitattributes; for i in $(seq 10 31); do cat > $i.png; done';
        await withAgentService({ command: ["sh", "-c", script] }, async (running) => {
            const { id, status } = await running.run("Pictures.");
            const log = await running.log(id);
            assert.equal(status, "completed", log);
            assert.match(
                log,
                /\.gitattributes passes 10\.png, 11\.png, .*, 29\.png and 2 more through the filter lfs, /,
            );
            assert.match(log, /the commit contains the content itself\. .* git add --renormalize /);
        });
    });
});

describe("A signing key that is gone", () => {
    it("fails the job before the agent works, so that no work is lost", async () => {
        await withKey("", async (file) => {
            const agent = { command: ["sh", "-c", "echo worked; cat >> index.md"], commits: { signingKeyFile: file } };
            await withAgentService(agent, async (running) => {
                await rm(file);
                const { id, status } = await running.run("More.");
                assert.equal(status, "failed");
                const log = await running.log(id);
                assert.match(log, /Failed: The signing key \S+ is gone: restore it/);
                assert.doesNotMatch(log, /worked/);
            });
        });
    });
});

describe("The settings of agents' commits", () => {
    const refusal = (options: CommitOptions): string => {
        try {
            resolveCommits(options, process.env);
        } catch (error) {
            return String(error);
        }
        return "none";
    };

    for (const [what, options, expected] of [
        ["an empty name", { name: " " }, /--agent-commit-name must be a name/],
        ["a name that git would change", { name: "Docs <bot>" }, /--agent-commit-name must be a name/],
        ["a name with a line break", { name: "Docs\nbot" }, /--agent-commit-name must be a name/],
        ["a name as an address", { email: "docs" }, /--agent-commit-email must be an address, got "docs"\.$/],
        ["two addresses", { email: "a@b.example c@d.example" }, /--agent-commit-email must be an address/],
        ["an empty message", { message: "\n" }, /--agent-commit-message must not be empty\.$/],
        ["a missing key", { signingKeyFile: "/nowhere/key" }, /\/nowhere\/key cannot be used: .*No such file/],
    ] as const) {
        it(`are refused at the start: ${what}`, () => assert.match(refusal(options), expected));
    }

    it("are accepted with letters of any script", () => assert.equal(refusal({ name: "文档" }), "none"));

    it("are refused at the start: a key with a passphrase, with the command that creates one without", async () => {
        await withKey("passphrase", (file) => {
            assert.match(refusal({ signingKeyFile: file }), /cannot be used: .*passphrase.*: ssh-keygen -t ed25519/);
            return Promise.resolve();
        });
    });

    it("are refused at the start: a file that is not a key, whose content is not repeated", async () => {
        await withFolder(async (folder) => {
            const file = join(folder, "key");
            await writeFile(file, "5ecret\n", { mode: 0o600 });
            assert.match(refusal({ signingKeyFile: file }), /cannot be used: (?!.*5ecret)/);
        });
    });
});
