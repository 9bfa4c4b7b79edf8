import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@pulumi-static-export/toolchain";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { Command, run } from "../../cli/support/command.js";
import { bucket, credentialVariables, S3Server } from "../../provider/bundle-mirror/s3-server.js";
import { usePostgres } from "../../service/support/postgres.js";
import { slowExports } from "../../support/slow-exports.js";
import { waitUntil } from "../../wait-until.js";
import { Remote } from "../agent/agent-service.js";
import { FaultyLink } from "./support/chaos/faulty-link.js";
import { adminKey } from "./support/service-parts.js";

/** The chart gives an API 30 seconds, a worker 15 seconds after its grace, and an agent worker 60, as the guide does. */
const limitsMs = { api: 30_000, worker: 15_000, "agent worker": 30_000 };

type Part = keyof typeof limitsMs;
const parts = Object.keys(limitsMs) as Part[];

const jobs = "/v1/static-export/jobs";
const agentJobs = "/v2/agent/docs/job";
const domain = "docs.example.com";
const gitDomain = "git.example.com";

describe("After SIGTERM, an API, a worker and an agent worker", function () {
    this.timeout(240_000);
    const postgres = usePostgres();
    let s3: S3Server;
    let folder: string;
    let git: Server;
    let database: PostgresDatabase;
    let links: Record<Part, { database: FaultyLink; bucket: FaultyLink }>;
    let commands: Record<Part, Command>;
    let url: string;
    /** The connections of git, which get no answer. */
    let fetches = 0;

    before(async function () {
        this.timeout(300_000);
        s3 = await S3Server.start();
        git = createServer((socket) => {
            fetches += 1;
            socket.on("error", () => undefined);
        });
        await once(git.listen(0, "127.0.0.1"), "listening");
    });

    after(async () => {
        git.close();
        await s3.stop();
    });

    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "hanging-"));
        fetches = 0;
        await writeFile(join(folder, "key"), adminKey, { mode: 0o600 });
        await mkdir(join(folder, "docs"));
        await writeFile(join(folder, "docs", "index.md"), "# Welcome\n");
        const remote = await Remote.create(folder);
        const address = new URL(await postgres().createDatabase());
        database = new PostgresDatabase(address.href);
        const migrated = await run(folder, ["migrate"], { STATIC_EXPORT_DATABASE_URL: address.href });
        assert.equal(migrated.exitCode, 0, migrated.stderr);
        const silentGit = `http://127.0.0.1:${(git.address() as AddressInfo).port}/docs.git`;
        const port = await freePort();
        url = `http://127.0.0.1:${port}`;
        const agent = [process.execPath, "-e", "setTimeout(() => undefined, 3_600_000)"];
        const projects = ["--agent-project", `docs=${remote.url}#main`, "--agent-project", `silent=${silentGit}#main`];
        const sites = ["--site", `${domain}=${join(folder, "docs")}`, "--site", `${gitDomain}=git+${silentGit}#main`];
        const options: Record<Part, string[]> = {
            api: ["serve", "--port", String(port), "--admin-key-file", join(folder, "key"), ...sites, ...projects],
            worker: ["work", ...sites],
            "agent worker": ["work", ...projects, "--agent-command", JSON.stringify(agent)],
        };
        const begin = async (part: Part, env: Record<string, string> = {}) => {
            const [toDatabase, toBucket] = [
                await FaultyLink.open(() => Number(address.port)),
                await FaultyLink.open(() => Number(new URL(s3.endpoint).port)),
            ];
            const through = new URL(address);
            through.port = String(toDatabase.port);
            const storage = [
                "--bucket",
                `s3://${bucket}/hanging`,
                "--bucket-endpoint",
                `http://127.0.0.1:${toBucket.port}`,
            ];
            const args = [...options[part], "--data-dir", join(folder, `data of ${part}`), ...storage];
            const command = new Command(args, {
                cwd: folder,
                env: { ...credentialVariables, STATIC_EXPORT_DATABASE_URL: through.href, ...env },
            });
            return { links: { database: toDatabase, bucket: toBucket }, command };
        };
        const begun = {
            api: await begin("api"),
            worker: await begin("worker", slowExports(3000)),
            "agent worker": await begin("agent worker"),
        };
        links = { api: begun.api.links, worker: begun.worker.links, "agent worker": begun["agent worker"].links };
        commands = {
            api: begun.api.command,
            worker: begun.worker.command,
            "agent worker": begun["agent worker"].command,
        };
        await commands.api.serves();
    });

    afterEach(async () => {
        await Promise.all(
            Object.values(commands).map(async (command) => {
                command.signal("SIGKILL");
                await command.exited;
            }),
        );
        await Promise.all(Object.values(links).flatMap((each) => [each.database.close(), each.bucket.close()]));
        await database.close();
        await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    });

    async function ask(path: string, body?: object): Promise<Record<string, unknown>> {
        const response = await fetch(url + path, {
            method: "POST",
            headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
            body: JSON.stringify(body ?? {}),
        });
        const text = await response.text();
        assert.ok(response.ok, text);
        return JSON.parse(text) as Record<string, unknown>;
    }

    const isTrue = (sql: string) => async () => (await database.get(sql)) !== undefined;

    const silence = (which: "database" | "bucket") =>
        Object.values(links).forEach((each) => each[which].damage({ kind: "silence" }));

    /** Ends all processes at the same time. */
    async function endInTime(): Promise<void> {
        const took = await Promise.all(
            parts.map(async (part) => {
                const beganMs = performance.now();
                commands[part].signal("SIGTERM");
                const { exitCode } = await commands[part].exited;
                return { part, exitCode, ms: Math.round(performance.now() - beganMs) };
            }),
        );
        for (const { part, exitCode, ms } of took) {
            assert.ok(ms < limitsMs[part], `${part}: ${ms} ms\n${commands[part].stderr}`);
            assert.equal(exitCode, 0, `${part}: ${commands[part].stderr}`);
        }
    }

    it("end in time, although the git server of their running jobs does not answer", async () => {
        await ask(jobs, { domain: gitDomain });
        await ask("/v2/agent/silent/job", { prompt: "Change nothing." });
        await waitUntil("both fetch", () => fetches >= 2);
        await endInTime();
    });

    it("end in time, although the database does not answer", async () => {
        await ask(jobs, { domain });
        await ask(agentJobs, { prompt: "Wait." });
        await waitUntil("the export runs", isTrue("SELECT 1 FROM static_export_jobs WHERE status = 'running'"));
        await waitUntil("the agent runs", isTrue("SELECT 1 FROM agent_prompts WHERE state = 'running'"));
        silence("database");
        const pending = ask(jobs, { domain }).catch(() => undefined);
        await fetch(url);
        await endInTime();
        await pending;
    });

    it("end in time, although the bucket does not answer", async () => {
        const { jobId: first } = await ask(jobs, { domain });
        await waitUntil("an export has ended", isTrue("SELECT 1 FROM static_export_jobs WHERE status = 'completed'"), {
            withinMs: 60_000,
        });
        await ask(agentJobs, { prompt: "Wait." });
        await waitUntil("the agent runs", isTrue("SELECT 1 FROM agent_prompts WHERE state = 'running'"));
        await writeFile(join(folder, "docs", "index.md"), "# Changed\n");
        await ask(jobs, { domain });
        silence("bucket");
        await waitUntil(
            "the export stores its archive",
            isTrue("SELECT 1 FROM static_export_jobs WHERE status = 'running' AND storing IS NOT NULL"),
            { withinMs: 60_000 },
        );
        const pending = ask(`${jobs}/${String(first)}/bundle`).catch(() => undefined);
        await fetch(url);
        await endInTime();
        await pending;
    });
});
