import { migrateDatabase } from "@pulumi-static-export/service";
import { type AdminClient } from "@pulumi-static-export/sdk";
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "../../cli/support/command.js";
import { withFolder } from "../../sdk/support/files.js";
import { type PostgresServer, usePostgres } from "../../service/support/postgres.js";
import { adminApiKey, createFastClient, projectId, Remote } from "./agent-service.js";
import { fastHeartbeats } from "../../support/fast-heartbeats.js";
import { waitUntil } from "../../wait-until.js";

/** Reports that it has started, waits while the file `hold` exists, and adds its prompt to a page. */
const agentSource = `
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
const prompt = readFileSync(0, "utf8").trim();
const folder = process.argv[2];
appendFileSync(folder + "/begun", prompt + " " + process.pid + "\\n");
while (existsSync(folder + "/hold")) {
    await delay(20);
}
appendFileSync("log.md", prompt + "\\n");
`;

describe("Two services and two agent workers with PostgreSQL and a git repository", function () {
    this.timeout(240_000);
    const server = usePostgres();

    it("complete a job exactly once if its worker is killed while the agent works or after the push", async () => {
        await withCluster(server, async (cluster) => {
            await cluster.hold();
            const first = await cluster.create("killed while it works");
            await cluster.begun(first, 1);
            const killed = await cluster.workerOf(first);
            await cluster.end(killed, "SIGKILL");
            await cluster.release();
            await cluster.assertEnded(first, ["killed while it works"]);
            assert.equal(await cluster.begun(first, 2), 2);

            cluster.startWorker(killed);
            await cluster.holdPushes();
            const second = await cluster.create("killed after the push");
            await cluster.pushed(second);
            await cluster.end(await cluster.workerOf(second), "SIGKILL");
            await cluster.assertEnded(second, ["killed after the push"]);
            await cluster.releasePushes();
            assert.equal(await cluster.begun(second, 1), 1);
            assert.deepEqual((await cluster.remote.branches()).sort(), [`agent/${first}`, `agent/${second}`].sort());
        });
    });

    it("release a job on SIGTERM, pass messages to any worker, and stop the agent of an archived job", async () => {
        await withCluster(server, async (cluster) => {
            await cluster.hold();
            const id = await cluster.create("one");
            await cluster.begun(id, 1);
            await cluster.end(await cluster.workerOf(id), "SIGTERM");
            await cluster.begun(id, 2);
            await cluster.other.agentJobs.sendMessage(projectId, id, { prompt: "two" });
            await cluster.release();
            await cluster.assertEnded(id, ["one", "two"]);

            await cluster.hold();
            const archived = await cluster.create("archived");
            await cluster.begun(archived, 1);
            const pid = await cluster.pidOf(archived);
            await cluster.other.agentJobs.archive(projectId, archived);
            await waitUntil("the agent ends", () => !existsSync(`/proc/${pid}`));
            assert.deepEqual(await cluster.remote.branches(), [`agent/${id}`]);
        });
    });
});

async function withCluster(server: () => PostgresServer, use: (cluster: AgentCluster) => Promise<void>): Promise<void> {
    await withFolder(async (folder) => {
        const database = await server().createDatabase();
        await migrateDatabase(database);
        const cluster = new AgentCluster(folder, database, await Remote.create(folder));
        try {
            await cluster.start();
            await use(cluster);
        } finally {
            await cluster.stop();
        }
    });
}

class AgentCluster {
    readonly #services: Command[] = [];
    readonly #workers = new Map<string, Command>();
    readonly #prompts = new Map<string, string>();
    readonly #clients: AdminClient[] = [];

    constructor(
        readonly folder: string,
        readonly database: string,
        readonly remote: Remote,
    ) {}

    async start(): Promise<void> {
        await mkdir(join(this.folder, "site"));
        await writeFile(join(this.folder, "key"), adminApiKey, { mode: 0o600 });
        await writeFile(join(this.folder, "agent.mjs"), agentSource);
        await writeFile(join(this.folder, "begun"), "");
        const hook = join(this.remote.folder, "hooks", "post-receive");
        await mkdir(join(this.remote.folder, "hooks"), { recursive: true });
        await writeFile(hook, `#!/bin/sh\nwhile [ -e '${this.folder}/hold-pushes' ]; do sleep 0.1; done\n`);
        await chmod(hook, 0o755);
        for (const name of ["one", "two"]) {
            const args = ["serve", "--site", `docs.example.com=${join(this.folder, "site")}`, "--port", "0"];
            const places = ["--data-dir", join(this.folder, `data of service ${name}`)];
            const key = ["--admin-key-file", join(this.folder, "key")];
            this.#services.push(this.#command([...args, ...places, ...key, ...this.#project]));
            this.startWorker(name);
        }
        for (const service of this.#services) {
            this.#clients.push(createFastClient(await service.serves()));
        }
    }

    async stop(): Promise<void> {
        this.#clients.forEach((client) => client.close());
        await Promise.all([this.release(), this.releasePushes()]);
        for (const process of [...this.#services, ...this.#workers.values()]) {
            process.signal("SIGTERM");
            await process.exited;
        }
    }

    startWorker(name: string): void {
        const agent = [process.execPath, join(this.folder, "agent.mjs"), this.folder];
        this.#workers.set(
            name,
            this.#command([
                ...["work", "--data-dir", join(this.folder, `data of worker ${name}`), ...this.#project],
                ...["--agent-command", JSON.stringify(agent)],
                ...["--agent-pr-link", "https://forge.example.com/compare/{branch}"],
            ]),
        );
    }

    /** A client of the service on which the spec creates no jobs. */
    get other(): AdminClient {
        return this.#client(1);
    }

    async create(prompt: string): Promise<string> {
        const { id } = await this.#client(0).agentJobs.create(projectId, { prompt });
        this.#prompts.set(id, prompt);
        return id;
    }

    /** Waits until the job's first prompt has started at least this many times, and returns the actual number. */
    async begun(id: string, times: number): Promise<number> {
        return waitUntil(`the job begins ${times} times`, async () => {
            const count = (await this.#begins(id)).length;
            return count >= times ? count : undefined;
        });
    }

    async pidOf(id: string): Promise<number> {
        return Number((await this.#begins(id)).at(-1)?.split(" ").at(-1));
    }

    /** Resolves when the repository has the job's branch. */
    async pushed(id: string): Promise<void> {
        await waitUntil("the branch is pushed", async () => (await this.remote.branches()).includes(`agent/${id}`));
    }

    async workerOf(id: string): Promise<string> {
        return waitUntil(
            "a worker takes the job",
            () => [...this.#workers].find(([, { stdout }]) => stdout.includes(`Agent job ${id} of project`))?.[0],
        );
    }

    async end(worker: string, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
        const command = this.#workers.get(worker);
        command?.signal(signal);
        await command?.exited;
    }

    async assertEnded(id: string, lines: readonly string[]): Promise<void> {
        const job = await this.other.agentJobs.pollUntilDone(projectId, id, { timeoutMs: 110_000 });
        assert.equal(job.status, "completed");
        assert.equal(job.prLink, `https://forge.example.com/compare/agent/${id}`);
        assert.equal(await this.remote.commitsOn(`agent/${id}`), lines.length);
        assert.equal(await this.remote.fileOn(`agent/${id}`, "log.md"), lines.join("\n"));
    }

    hold = () => writeFile(join(this.folder, "hold"), "");
    release = () => rm(join(this.folder, "hold"), { force: true });
    holdPushes = () => writeFile(join(this.folder, "hold-pushes"), "");
    releasePushes = () => rm(join(this.folder, "hold-pushes"), { force: true });

    get #project(): string[] {
        return ["--agent-project", `${projectId}=${this.remote.url}#main`];
    }

    #client(index: number): AdminClient {
        const client = this.#clients[index];
        assert.ok(client);
        return client;
    }

    async #begins(id: string): Promise<string[]> {
        const lines = (await readFile(join(this.folder, "begun"), "utf8")).split("\n");
        return lines.filter((line) => line.startsWith(`${this.#prompts.get(id)} `));
    }

    #command(args: string[]): Command {
        const env = { STATIC_EXPORT_DATABASE_URL: this.database, ...fastHeartbeats };
        return new Command(args, { cwd: this.folder, env });
    }
}
