import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { Repository } from "../../../service/src/agents/repository.js";
import { Git, GitError } from "../../../service/src/git/git.js";
import { ProcessMark } from "../../../service/src/processes/process-mark.js";
import { withFolder } from "../../sdk/support/files.js";
import { waitUntil } from "../../wait-until.js";

const repositoryIn = (folder: string, url: string, env = process.env): Repository => {
    const git = new Git({ mark: ProcessMark.ofGit(folder), protocol: "http", env });
    return new Repository(url, { git, folder, maxBytes: 2 ** 30 });
};

describe("A repository of agents whose remote does not answer", () => {
    it("lets a job end at once that waits for the fetch of another job", async () => {
        const links = new Set<Socket>();
        const server = createServer((link) => void links.add(link.on("error", () => undefined)));
        await once(server.listen(0, "127.0.0.1"), "listening");
        try {
            await withFolder(async (folder) => {
                const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/acme/docs.git`;
                const repository = repositoryIn(folder, url);
                const [first, second] = [new AbortController(), new AbortController()];
                const hanging = repository.fetch(first.signal);
                await once(server, "connection");
                const waiting = repository.fetch(second.signal);
                second.abort(new Error("archived"));
                await assert.rejects(waiting, /archived/);
                first.abort(new Error("stopped"));
                await assert.rejects(hanging, /stopped/);
                assert.equal(links.size, 1);
            });
        } finally {
            server.close();
            links.forEach((link) => link.destroy());
        }
    });
});

describe("A push that is taken back", () => {
    it("may be taken back twice, and is an error only while the remote still has it", async () => {
        await withFolder(async (folder) => {
            const remote = join(folder, "remote");
            const run = async (...args: string[]) =>
                (await promisify(execFile)("git", ["-C", remote, ...args])).stdout.trim();
            await mkdir(remote);
            await run("init", "--quiet", "--initial-branch=main");
            await run("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "-m", "First");
            const commit = await run("rev-parse", "main");
            const git = new Git({ mark: ProcessMark.ofGit(folder), protocol: "file", env: process.env });
            const repository = new Repository(remote, { git, folder, maxBytes: 2 ** 30 });
            const takeBack = () => repository.takeBack(commit, { branch: "agent/1", base: undefined });
            await run("branch", "agent/1");
            assert.equal(await takeBack(), true);
            assert.equal(await run("branch", "--list", "agent/1"), "");
            assert.equal(await takeBack(), false);
            await run("branch", "agent/1");
            await run("checkout", "--quiet", "agent/1");
            await assert.rejects(takeBack(), GitError);
        });
    });
});

describe("A repository of agents that removes objects", () => {
    it("ends this when the process closes", async () => {
        await withFolder(async (folder) => {
            const programs = join(folder, "programs");
            const begun = join(folder, "begun");
            await mkdir(programs);
            await writeFile(join(programs, "git"), `#!/bin/sh\ntouch '${begun}'\nexec sleep 1000\n`);
            await chmod(join(programs, "git"), 0o755);
            const env = { ...process.env, PATH: `${programs}:${process.env["PATH"]}` };
            const repository = repositoryIn(folder, "http://127.0.0.1:9/acme/docs.git", env);
            const using = repository.use(() => Promise.resolve("done"));
            await waitUntil("git removes objects", () => existsSync(begun));
            repository.closing();
            assert.equal(await using, "done");
        });
    });
});
