import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Command, type Outcome, run } from "../../../cli/support/command.js";
import { bucket, credentialVariables, S3Server } from "../../../provider/bundle-mirror/s3-server.js";
import { PostgresDatabase } from "../../../../service/src/database/postgres-database.js";
import { PostgresServer } from "../../../service/support/postgres.js";

export const domains = ["a.example.com", "b.example.com", "c.example.com"];
const adminKey = "admin_kill-key";
export const endsWithinMs = 300_000;

export type Part = "api" | "worker 1" | "worker 2" | "postgres" | "storage";

/**
 * A service, two workers and their database as processes of this machine: with one data folder, or with a bucket and a
 * data folder for each.
 */
export class Cluster {
    readonly #folder: string;
    readonly #postgres: PostgresServer;
    readonly #s3: S3Server | undefined;
    readonly #database: string;
    readonly #env: Record<string, string>;
    readonly #processes = new Map<Part, Command>();
    readonly #ended: Command[] = [];
    url = "";

    private constructor(folder: string, postgres: PostgresServer, database: string, s3: S3Server | undefined) {
        this.#folder = folder;
        this.#postgres = postgres;
        this.#database = database;
        this.#s3 = s3;
        this.#env = { STATIC_EXPORT_DATABASE_URL: database, ...(s3 === undefined ? {} : credentialVariables) };
    }

    static async start(folder: string, storage: "folder" | "bucket"): Promise<Cluster> {
        await mkdir(join(folder, "site"));
        for (let page = 0; page < 60; page += 1) {
            await writeFile(
                join(folder, "site", `page-${page}.md`),
                `# Page ${page}\n\n${"Some **text**.\n\n".repeat(40)}`,
            );
        }
        await writeFile(join(folder, "key"), adminKey, { mode: 0o600 });
        const postgres = await PostgresServer.start();
        const s3 = storage === "bucket" ? await S3Server.start() : undefined;
        const cluster = new Cluster(folder, postgres, await postgres.createDatabase(), s3);
        try {
            await cluster.#startProcesses();
            return cluster;
        } catch (error) {
            await cluster.stop();
            throw error;
        }
    }

    async #startProcesses(): Promise<void> {
        // Before the schema: they wait for it.
        this.#spawn("worker 1");
        this.#spawn("worker 2");
        const { exitCode, stderr } = await run(this.#folder, ["migrate"], this.#env);
        assert.equal(exitCode, 0, stderr);
        await this.resume("api");
    }

    async kill(part: Part): Promise<void> {
        if (part === "postgres") {
            await this.#postgres.kill();
            return;
        }
        if (part === "storage") {
            await this.#s3?.kill();
            return;
        }
        const command = this.#processes.get(part);
        command?.signal("SIGKILL");
        await command?.exited;
    }

    async resume(part: Part): Promise<void> {
        if (part === "postgres") {
            await this.#postgres.resume();
            return;
        }
        if (part === "storage") {
            await this.#s3?.resume();
            return;
        }
        const command = this.#spawn(part);
        if (part === "api") {
            this.url = await command.serves();
        }
    }

    /** Undefined while the service or its database cannot be reached. */
    async ask(method: string, path: string, body?: object, key?: string): Promise<Record<string, unknown> | undefined> {
        try {
            const response = await fetch(this.url + path, {
                method,
                headers: {
                    authorization: `Bearer ${adminKey}`,
                    ...(body === undefined ? {} : { "content-type": "application/json" }),
                    ...(key === undefined ? {} : { "idempotency-key": key }),
                },
                ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            });
            if (response.status === 503) {
                assert.ok(response.headers.has("retry-after"));
                return undefined;
            }
            const text = await response.text();
            assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}\n${this.log()}`);
            return JSON.parse(text) as Record<string, unknown>;
        } catch (error) {
            if (error instanceof TypeError) {
                return undefined;
            }
            throw error;
        }
    }

    /** Repeats a request as a client does, until it is answered. */
    async answer(method: string, path: string, body?: object, key?: string): Promise<Record<string, unknown>> {
        for (const giveUpAt = performance.now() + endsWithinMs; performance.now() < giveUpAt; await delay(100)) {
            const answer = await this.ask(method, path, body, key);
            if (answer !== undefined) {
                return answer;
            }
        }
        throw new Error(`No answer to ${method} ${path}.\n${this.log()}`);
    }

    log(): string {
        return [...this.#ended, ...this.#processes.values()].map(({ stdout, stderr }) => stdout + stderr).join("\n");
    }

    async stop(): Promise<void> {
        for (const part of this.#processes.keys()) {
            await this.kill(part);
        }
        await this.#postgres.stop();
        await this.#s3?.stop();
    }

    /** The digests of all archives that are stored. */
    async stored(): Promise<string[]> {
        const names =
            this.#s3 === undefined
                ? await readdir(join(this.#folder, "data", "bundles"))
                : (await this.#s3.keys()).map((key) => key.replace("docs/bundles/", ""));
        return names.map((name) => name.replace(".tar.gz", "")).sort();
    }

    /** Runs a statement in the database. */
    async sql<Row>(statement: string): Promise<Row[]> {
        const database = new PostgresDatabase(this.#database);
        try {
            return await database.all<Row>(statement);
        } finally {
            await database.close();
        }
    }

    /** A command of a client. */
    client(args: readonly string[]): Promise<Outcome> {
        const settings = { STATIC_EXPORT_BASE_URL: this.url, STATIC_EXPORT_ADMIN_API_KEY: adminKey };
        return run(this.#folder, args, settings);
    }

    #spawn(part: Part): Command {
        const earlier = this.#processes.get(part);
        if (earlier !== undefined) {
            this.#ended.push(earlier);
        }
        const sites = domains.flatMap((domain) => ["--site", `${domain}=${join(this.#folder, "site")}`]);
        const dataDir = this.#s3 === undefined ? "data" : `data of ${part}`;
        const storage =
            this.#s3 === undefined ? [] : ["--bucket", `s3://${bucket}/docs`, "--bucket-endpoint", this.#s3.endpoint];
        const shared = [...sites, "--data-dir", join(this.#folder, dataDir), ...storage];
        const args =
            part === "api"
                ? ["serve", ...shared, "--port", "0", "--admin-key-file", join(this.#folder, "key")]
                : ["work", ...shared, "--tick-seconds", "1"];
        const command = new Command(args, { cwd: this.#folder, env: this.#env });
        this.#processes.set(part, command);
        return command;
    }
}
