import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@pulumi-static-export/toolchain";
import { findProgram } from "../../charts/support/fetch-pod.js";
import { withFolder } from "../../sdk/support/files.js";
import { waitUntil } from "../../wait-until.js";
import { type AgentService, projectId, Remote, withServiceOver } from "./agent-service.js";

const run = promisify(execFile);
const gitea = await findProgram("gitea");
const owner = "ann";

interface Forge {
    url: string;
    token: string;
    api: (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;
    stop: () => Promise<void>;
}

/** The settings of a Gitea in a folder. A build without embedded files needs the folder of its sources. */
const settings = (folder: string, port: number): string => `
APP_NAME = docs
I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
ROOT_URL = http://127.0.0.1:${port}/
DISABLE_SSH = true
OFFLINE_MODE = true
${process.env["GITEA_STATIC_ROOT"] === undefined ? "" : `STATIC_ROOT_PATH = ${process.env["GITEA_STATIC_ROOT"]}`}
[database]
DB_TYPE = sqlite3
SQLITE_JOURNAL_MODE = MEMORY
PATH = ${folder}/gitea.db
[repository]
ROOT = ${folder}/repositories
[security]
INSTALL_LOCK = true
[log]
LEVEL = Error
`;

/** Starts a Gitea with a user. */
async function startGitea(folder: string): Promise<Forge> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const config = join(folder, "app.ini");
    const env = { PATH: process.env["PATH"], HOME: folder, GITEA_WORK_DIR: folder };
    await mkdir(join(folder, "repositories"));
    await writeFile(config, settings(folder, port));
    const admin = (...args: string[]) => run(gitea ?? "", ["--config", config, "admin", "user", ...args], { env });
    await run(gitea ?? "", ["--config", config, "migrate"], { env });
    const account = ["--username", owner, "--email", "ann@example.com", "--password", "walrus-and-clams-1"];
    await admin("create", ...account, "--admin", "--must-change-password=false");
    const { stdout } = await admin("generate-access-token", "--username", owner, "--scopes", "all", "--raw");
    const token = stdout.trim().split("\n").at(-1) ?? "";
    const server = spawn(gitea ?? "", ["--config", config, "web"], { env, stdio: "ignore" });
    const exited = once(server, "exit");
    const stop = async (): Promise<void> => {
        server.kill("SIGTERM");
        await exited;
    };
    const api: Forge["api"] = async (method, path, body) => {
        const response = await fetch(`${url}/api/v1${path}`, {
            method,
            headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
            ...(body && { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
        return (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
    };
    await waitUntil("Gitea answers", () =>
        api("GET", "/version").then(
            () => true,
            () => false,
        ),
    );
    return { url, token, api, stop };
}

describe("An agent's job with a real Gitea", function () {
    this.timeout(300_000);

    let home: string | undefined;
    let forge: Forge | undefined;
    before(async function () {
        if (gitea === undefined) {
            console.log("      skipped: there is no gitea on PATH");
            this.skip();
        }
        home = await mkdtemp(join(tmpdir(), "static-export-gitea-"));
        forge = await startGitea(home);
    });
    after(async () => {
        await forge?.stop();
        await (home === undefined ? undefined : rm(home, { recursive: true }));
    });

    /** Runs agents with a new repository that has one commit on `main`. */
    const withJobs = (docs: string, use: (running: AgentService, forge: Forge) => Promise<void>) =>
        withFolder(async (folder) => {
            const started = forge;
            assert.ok(started !== undefined);
            const { url, token, api } = started;
            await api("POST", "/user/repos", { name: docs, auto_init: true, default_branch: "main" });
            const pullRequests = { kind: "gitea" as const, apiUrl: `${url}/api/v1`, token };
            await withServiceOver(
                folder,
                await Remote.create(folder),
                { command: ["sh", "-c", "cat >> README.md"], pullRequests },
                (running) => use(running, started),
                { projects: { [projectId]: { repository: `${url}/${owner}/${docs}`, ref: "main" } } },
            );
        });
    const send = async ({ client, wait }: AgentService, id: string, prompt: string) => {
        await client.agentJobs.sendMessage(projectId, id, { prompt });
        return wait(id);
    };

    it("opens a pull request, continues it, and opens another after a squash merge", () =>
        withJobs("docs", async (running, { url, api }) => {
            const { id, status, prLink } = await running.run("One.\n");
            assert.equal(status, "completed", await running.log(id));
            assert.equal(prLink, `${url}/${owner}/docs/pulls/1`);
            const second = await send(running, id, "Two.\n");
            assert.equal(second.prLink, prLink, await running.log(id));
            const pull = `/repos/${owner}/docs/pulls/1`;
            assert.equal(((await api("GET", `${pull}/commits`)) as unknown as unknown[]).length, 2);
            await waitUntil("Gitea can merge", async () => (await api("GET", pull))["mergeable"] === true);
            await api("POST", `${pull}/merge`, { Do: "squash" });
            const third = await send(running, id, "Three.\n");
            assert.equal(third.prLink, `${url}/${owner}/docs/pulls/2`, await running.log(id));
            const { content } = await api("GET", `/repos/${owner}/docs/contents/README.md?ref=${third.source.ref}`);
            assert.match(Buffer.from(String(content), "base64").toString(), /One\.\nTwo\.\nThree\./);
        }));

    it("says that the repository has moved, if it was renamed", () =>
        withJobs("moved", async (running, { api }) => {
            await api("PATCH", `/repos/${owner}/moved`, { name: "manual" });
            const { id, status } = await running.run("One.\n");
            assert.equal(status, "failed");
            assert.match(await running.log(id), /The repository has moved.*name its new address in --agent-project/);
        }));

    it("puts the change into a git bundle, if the repository is archived", () =>
        withJobs("archived", async (running, { api, token }) => {
            await api("PATCH", `/repos/${owner}/archived`, { archived: true });
            const { id, status } = await running.run("One.\n");
            assert.equal(status, "failed");
            const log = await running.log(id);
            assert.match(log, /it is in the git bundle \S+\.bundle\. To push it, copy the file to a clone/);
            assert.ok(!log.includes(token) && !running.lines.join("\n").includes(token));
        }));
});
