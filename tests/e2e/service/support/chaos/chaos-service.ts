import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "@pulumi-static-export/toolchain";
import { Command, run } from "../../../../cli/support/command.js";
import { bucket, credentialVariables, S3Server } from "../../../../provider/bundle-mirror/s3-server.js";
import { PostgresDatabase } from "../../../../../service/src/database/postgres-database.js";
import { PostgresServer } from "../../../../service/support/postgres.js";
import { slowExports } from "../../../../support/slow-exports.js";
import { waitUntil } from "../../../../wait-until.js";
import { markdownAgent, Remote } from "../../../agent/agent-service.js";
import { adminKey } from "../service-parts.js";
import { type ChaosSite, createSites } from "./chaos-sites.js";
import { FaultyLink } from "./faulty-link.js";

export const apis = ["api 1", "api 2"] as const;
const agentWorker = "agent worker";
export const processNames = [...apis, "worker 1", "worker 2", "worker 3", agentWorker] as const;
type ProcessName = (typeof processNames)[number];

/** Several, because a project may use only 100 prompts in an hour. */
export const agentProjects = ["docs-1", "docs-2", "docs-3", "docs-4"] as const;

const isApi = (name: ProcessName): boolean => (apis as readonly string[]).includes(name);

/** By how much each worker delays its exports. */
const delays: Partial<Record<ProcessName, number>> = { "worker 1": 1000, "worker 2": 3000, "worker 3": 9000 };

/** How long exports of the second worker may take to end after SIGTERM; other workers interrupt them. */
const graceSeconds = 20;
/** The guide's unit kills a process this long after SIGTERM. */
const endsWithinMs = 60_000;

const prefix = "exports";

/** A process of the service, with its own links to everything that it talks to. */
class ServiceProcess {
    readonly #start: () => Command;
    #command: Command;
    readonly #ended: Command[] = [];
    /** Why it ended although nobody wanted that. */
    surprise: string | undefined;
    #isWanted = true;
    starts = 0;

    constructor(
        readonly name: ProcessName,
        readonly healthPort: number,
        /** To both database servers. */
        readonly databases: readonly FaultyLink[],
        readonly storage: FaultyLink,
        /** From clients; only for an API. */
        readonly clients: FaultyLink | undefined,
        start: () => Command,
    ) {
        this.#start = start;
        this.#command = this.#begin();
    }

    #begin(): Command {
        const command = this.#start();
        this.starts += 1;
        void command.exited.then(({ exitCode, stderr }) => {
            if (this.#isWanted) {
                this.surprise ??= `${this.name} ended by itself with code ${exitCode}:\n${stderr.slice(-2000)}`;
            }
        });
        return command;
    }

    suspend(): void {
        this.#command.signal("SIGSTOP");
    }

    resume(): void {
        this.#command.signal("SIGCONT");
    }

    /** @returns how long that took */
    async end(signal: "SIGTERM" | "SIGKILL"): Promise<number> {
        this.#isWanted = false;
        const startedMs = performance.now();
        this.#command.signal(signal);
        await this.#command.exited;
        return performance.now() - startedMs;
    }

    restart(): void {
        this.#isWanted = true;
        this.#ended.push(this.#command);
        this.#command = this.#begin();
    }

    /** The allowed time between SIGTERM and the end. */
    get endsWithinMs(): number {
        return endsWithinMs + (this.name === "worker 2" ? graceSeconds * 1000 : 0);
    }

    get log(): string {
        const commands = [...this.#ended, this.#command];
        return commands.map(({ stdout, stderr }) => `=== ${this.name}:\n${stdout}${stderr}`).join("\n");
    }

    /** Undefined if it is ready. */
    async problem(): Promise<string | undefined> {
        try {
            const answer = await fetch(`http://127.0.0.1:${this.healthPort}/readyz`, {
                signal: AbortSignal.timeout(10_000),
            });
            const text = await answer.text();
            return answer.ok ? undefined : `${this.name} is not ready: ${text.trim()}`;
        } catch (error) {
            return `${this.name} does not answer: ${String(error)}`;
        }
    }
}

/**
 * Two APIs, three export workers and an agent worker with two database servers, of which one follows the other, and a
 * bucket. All traffic between them, and from clients, passes links that can be damaged.
 */
export class ChaosService {
    readonly #s3: S3Server;
    readonly #databases: readonly [PostgresServer, PostgresServer];
    /** The database's address on the first server. */
    readonly #url: string;
    #primary: 0 | 1 = 0;
    readonly processes: readonly ServiceProcess[];
    readonly #links: readonly FaultyLink[];
    /** From clients to the bucket. */
    readonly publicStorage: FaultyLink;
    readonly sites: ReadonlyMap<string, ChaosSite>;
    readonly remote: Remote;

    private constructor(parts: {
        s3: S3Server;
        databases: readonly [PostgresServer, PostgresServer];
        url: string;
        processes: readonly ServiceProcess[];
        links: readonly FaultyLink[];
        publicStorage: FaultyLink;
        sites: ReadonlyMap<string, ChaosSite>;
        remote: Remote;
    }) {
        [this.#s3, this.#databases, this.#url, this.#links] = [parts.s3, parts.databases, parts.url, parts.links];
        [this.processes, this.publicStorage] = [parts.processes, parts.publicStorage];
        [this.sites, this.remote] = [parts.sites, parts.remote];
    }

    static async start(folder: string): Promise<ChaosService> {
        await writeFile(join(folder, "key"), adminKey, { mode: 0o600 });
        const sites = await createSites(folder);
        const remote = await Remote.create(folder);
        const primary = await PostgresServer.start();
        const url = new URL(await primary.createDatabase());
        const databases = [primary, await primary.createStandby()] as const;
        const s3 = await S3Server.start();
        const { exitCode, stderr } = await run(folder, ["migrate"], { STATIC_EXPORT_DATABASE_URL: url.href });
        assert.equal(exitCode, 0, stderr);

        const links: FaultyLink[] = [];
        const open = async (findPort: () => number): Promise<FaultyLink> => {
            links.push(await FaultyLink.open(findPort));
            return links.at(-1)!;
        };
        const storagePort = Number(new URL(s3.endpoint).port);
        const publicStorage = await open(() => storagePort);
        const processes: ServiceProcess[] = [];
        const toApis: FaultyLink[] = [];
        let turn = 0;
        // Links to bundles lead to both APIs in turn.
        const balancer = await open(() => toApis[(turn += 1) % toApis.length]!.port);
        for (const name of processNames) {
            const toDatabases = [await open(() => databases[0].port), await open(() => databases[1].port)];
            const storage = await open(() => storagePort);
            const [healthPort, port] = [await freePort(), await freePort()];
            const clients = isApi(name) ? await open(() => port) : undefined;
            toApis.push(...(clients === undefined ? [] : [clients]));
            const hosts = toDatabases.map((link) => `127.0.0.1:${link.port}`).join(",");
            const env = {
                ...credentialVariables,
                STATIC_EXPORT_DATABASE_URL: `postgres://${url.username}@${hosts}${url.pathname}`,
                ...(delays[name] === undefined ? {} : slowExports(delays[name])),
            };
            const args = [
                ...argumentsOf(name, { folder, port, sites, remote, publicUrl: `http://127.0.0.1:${balancer.port}` }),
                ...["--data-dir", join(folder, `data of ${name}`), "--health", `127.0.0.1:${healthPort}`],
                ...["--bucket", `s3://${bucket}/${prefix}`, "--bucket-endpoint", `http://127.0.0.1:${storage.port}`],
                ...["--bucket-public-endpoint", `http://127.0.0.1:${publicStorage.port}`],
            ];
            const start = () => new Command(args, { cwd: folder, env });
            processes.push(new ServiceProcess(name, healthPort, toDatabases, storage, clients, start));
        }
        const made = { s3, databases, url: url.href, processes, links, publicStorage, sites, remote };
        const service = new ChaosService(made);
        try {
            await service.becomesReady();
            return service;
        } catch (error) {
            await service.stop();
            throw error;
        }
    }

    process(name: ProcessName): ServiceProcess {
        return this.processes.find((each) => each.name === name)!;
    }

    /** The address of an API for clients. */
    urlOf(name: (typeof apis)[number]): string {
        return `http://127.0.0.1:${this.process(name).clients!.port}`;
    }

    async becomesReady(): Promise<void> {
        for (const each of this.processes) {
            let problem: string | undefined;
            await waitUntil(`${each.name} is ready`, async () => (problem = await each.problem()) === undefined, {
                withinMs: 120_000,
            }).catch((error: unknown) => {
                throw new Error(`${String(error)}: ${problem}\n${each.log}`);
            });
        }
    }

    /** Restarts the primary. @param betweenMs - how long it is down */
    async restartDatabase(signal: "SIGINT" | "SIGQUIT", wait: () => Promise<void>): Promise<void> {
        const primary = this.#databases[this.#primary];
        await primary.kill(signal);
        await wait();
        await primary.resume();
    }

    /** The primary ends, the standby takes over, and after a while the old primary follows it. */
    async failOver(wait: () => Promise<void>): Promise<void> {
        const old = this.#databases[this.#primary];
        await old.kill("SIGINT");
        this.#primary = this.#primary === 0 ? 1 : 0;
        await this.#databases[this.#primary].promote();
        await wait();
        await old.follow(this.#databases[this.#primary]);
    }

    async restartStorage(wait: () => Promise<void>): Promise<void> {
        await this.#s3.kill();
        await wait();
        await this.#s3.resume();
    }

    /** The digests of all archives in the bucket. */
    stored(): Promise<string[]> {
        return this.#s3.bundles(prefix);
    }

    /** Runs a statement in the database. */
    async sql<Row>(statement: string): Promise<Row[]> {
        const url = new URL(this.#url);
        url.port = String(this.#databases[this.#primary].port);
        const database = new PostgresDatabase(url.href);
        try {
            return await database.all<Row>(statement);
        } finally {
            await database.close();
        }
    }

    get log(): string {
        return this.processes.map(({ log }) => log).join("\n");
    }

    async stop(): Promise<void> {
        await Promise.all(
            this.processes.map(async (each) => {
                each.resume();
                await each.end("SIGKILL");
            }),
        );
        await Promise.all(this.#links.map((link) => link.close()));
        await this.#s3.stop();
        await Promise.all(this.#databases.map((database) => database.stop()));
    }
}

function argumentsOf(
    name: ProcessName,
    {
        folder,
        port,
        sites,
        remote,
        publicUrl,
    }: { folder: string; port: number; sites: ReadonlyMap<string, ChaosSite>; remote: Remote; publicUrl: string },
): string[] {
    const siteOptions = [...sites].flatMap(([domain, { source }]) => ["--site", `${domain}=${source}`]);
    const project = agentProjects.flatMap((id) => ["--agent-project", `${id}=${remote.url}#main`]);
    if (isApi(name)) {
        const listening = ["--port", String(port), "--public-url", publicUrl];
        return ["serve", ...listening, "--admin-key-file", join(folder, "key"), ...siteOptions, ...project];
    }
    if (name === agentWorker) {
        const link = ["--agent-pr-link", "https://forge.example.com/compare/{branch}"];
        return ["work", ...project, "--agent-command", markdownAgent.join(" "), ...link];
    }
    return ["work", ...siteOptions, ...(name === "worker 2" ? ["--grace-seconds", String(graceSeconds)] : [])];
}
