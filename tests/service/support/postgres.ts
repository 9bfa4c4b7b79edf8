import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { appendFile, chmod, chown, copyFile, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort, hostInUrl } from "@pulumi-static-export/toolchain";
import { defaultTimes } from "../../../service/src/database/postgres-connections.js";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { migrateSchema } from "../../../service/src/database/postgres-schema.js";
import { waitUntil } from "../../wait-until.js";

const installed = "/usr/lib/postgresql";
const readyWithinMs = 60_000;

/** Returns the folder of Debian's newest PostgreSQL server; undefined if no server is installed. */
export function postgresPrograms(): string | undefined {
    const versions = existsSync(installed)
        ? readdirSync(installed)
              .map(Number)
              .sort((a, b) => a - b)
        : [];
    const folder = join(installed, String(versions.at(-1)), "bin");
    return existsSync(join(folder, "initdb")) ? folder : undefined;
}

/** Returns another user if this process runs as root, because the server refuses to run as root. */
function serverUser(): { uid?: number; gid?: number } {
    if (process.getuid?.() !== 0) {
        return {};
    }
    const id = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
    return { uid: id("-u"), gid: id("-g") };
}

/** A PostgreSQL server on loopback, or another address of this machine, with its data in a temporary folder. */
export class PostgresServer {
    readonly #programs: string;
    readonly #folder: string;
    readonly #host: string;
    readonly port: number;
    #process: ChildProcess | undefined;
    #databases = 0;

    private constructor(programs: string, folder: string, host: string, port: number) {
        this.#programs = programs;
        this.#folder = folder;
        this.#host = host;
        this.port = port;
    }

    /** @param parent - the parent folder for its data */
    static async start(host = "127.0.0.1", parent = tmpdir()): Promise<PostgresServer> {
        const programs = postgresPrograms();
        if (programs === undefined) {
            throw new Error("No PostgreSQL server is installed.");
        }
        const folder = await mkdtemp(join(parent, "postgres-"));
        const user = serverUser();
        if (user.uid !== undefined && user.gid !== undefined) {
            await chown(folder, user.uid, user.gid);
        }
        const server = new PostgresServer(programs, folder, host, await freePort(host));
        const initdb = [
            "-D",
            join(folder, "data"),
            "-U",
            "static_export",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
            "-N",
        ];
        await promisify(execFile)(join(programs, "initdb"), initdb, { ...user, cwd: folder });
        // initdb only allows connections from loopback.
        await appendFile(join(folder, "data", "pg_hba.conf"), "host all,replication all all trust\n");
        await server.resume();
        return server;
    }

    /** Starts another server, which follows this one until `promote`. */
    async createStandby(parent = tmpdir()): Promise<PostgresServer> {
        const folder = await mkdtemp(join(parent, "postgres-"));
        const { uid, gid } = await stat(this.#folder);
        await chown(folder, uid, gid);
        const standby = new PostgresServer(this.#programs, folder, this.#host, await freePort(this.#host));
        await standby.follow(this);
        return standby;
    }

    /** Starts this server, which has ended, as a copy that follows another one. */
    async follow(primary: PostgresServer): Promise<void> {
        await rm(join(this.#folder, "data"), { recursive: true, force: true });
        const from = ["-h", primary.#host, "-p", String(primary.port), "-U", "static_export"];
        await this.#command("pg_basebackup", ...from, "-R", "-X", "stream", "-c", "fast");
        await this.resume();
    }

    /** Makes a standby the primary. */
    async promote(): Promise<void> {
        await this.#command("pg_ctl", "promote", "--wait");
    }

    async #command(program: string, ...args: string[]): Promise<void> {
        const all = ["-D", join(this.#folder, "data"), ...args];
        await promisify(execFile)(join(this.#programs, program), all, { ...serverUser(), cwd: this.#folder });
    }

    /** Starts the server again after `kill`. */
    async resume(): Promise<void> {
        const args = [
            "-D",
            join(this.#folder, "data"),
            "-p",
            String(this.port),
            "-c",
            `listen_addresses=${this.#host}`,
        ];
        const settings = [`unix_socket_directories=${this.#folder}`, "fsync=off", "max_connections=200"];
        this.#process = spawn(
            join(this.#programs, "postgres"),
            [...args, ...settings.flatMap((setting) => ["-c", setting])],
            { ...serverUser(), cwd: this.#folder, stdio: "ignore" },
        );
        for (const giveUpAt = performance.now() + readyWithinMs; performance.now() < giveUpAt; await delay(50)) {
            const database = new PostgresDatabase(this.#url("postgres"));
            try {
                await database.get("SELECT 1");
                return;
            } catch {
                // Not yet.
            } finally {
                await database.close();
            }
        }
        throw new Error("The PostgreSQL server did not start.");
    }

    /** Creates an empty database, and returns its address. */
    async createDatabase(): Promise<string> {
        this.#databases += 1;
        const name = `spec_${this.#databases}`;
        // A busy disk may need longer than the time limit of the service's requests.
        const database = new PostgresDatabase(this.#url("postgres"), {
            ...defaultTimes,
            statementMs: 60_000,
            answerMs: 60_000,
        });
        try {
            await database.run(`CREATE DATABASE ${name}`);
        } finally {
            await database.close();
        }
        return this.#url(name);
    }

    /** Gives the running server a certificate. */
    async useCertificate(files: { file: string; keyFile: string }): Promise<void> {
        const data = join(this.#folder, "data");
        const { uid, gid } = await stat(data);
        const database = new PostgresDatabase(this.#url("postgres"));
        try {
            for (const [setting, source] of [
                ["ssl_cert_file", files.file],
                ["ssl_key_file", files.keyFile],
            ] as const) {
                const copy = join(data, setting);
                await copyFile(source, copy);
                // The server refuses a key that others can read.
                await chown(copy, uid, gid);
                await chmod(copy, 0o600);
                await database.run(`ALTER SYSTEM SET ${setting} = '${copy}'`);
            }
            await database.run("ALTER SYSTEM SET ssl = on");
            await database.run("SELECT pg_reload_conf()");
        } finally {
            await database.close();
        }
    }

    /**
     * Ends all processes of the server.
     * @param signal - SIGQUIT ends them without a checkpoint, so that the next start recovers as after a crash
     */
    async kill(signal: NodeJS.Signals = "SIGQUIT"): Promise<void> {
        const server = this.#process;
        if (server !== undefined && server.exitCode === null && server.signalCode === null) {
            const exited = once(server, "exit");
            server.kill(signal);
            await exited;
        }
    }

    async stop(): Promise<void> {
        await this.kill();
        await rm(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }

    #url(name: string): string {
        return `postgres://static_export@${hostInUrl(this.#host)}:${this.port}/${name}`;
    }
}

/** Starts one server for the specs of a `describe` block, which is skipped if no server is installed. */
export function usePostgres(): () => PostgresServer {
    let server: PostgresServer | undefined;
    before(async function () {
        this.timeout(120_000);
        if (postgresPrograms() === undefined) {
            this.skip();
        }
        server = await PostgresServer.start();
    });
    after(() => server?.stop());
    return () => server as PostgresServer;
}

/** Calls `use` with an empty database, which is closed afterwards. */
export async function withPostgres(
    server: PostgresServer,
    use: (database: PostgresDatabase) => Promise<void>,
): Promise<void> {
    const database = new PostgresDatabase(await server.createDatabase());
    try {
        await migrateSchema(database);
        await use(database);
    } finally {
        await database.close();
    }
}

/**
 * Waits until a statement in the database waits for a lock.
 * @param orFound - a query that finds a row if the statement has ended without waiting
 */
export async function untilBlocked(database: PostgresDatabase, orFound = "SELECT 1 WHERE false"): Promise<void> {
    await waitUntil("a statement waits for a lock, or has ended", async () => {
        const found = await database.get(
            `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
             UNION ${orFound}`,
        );
        return found !== undefined;
    });
}
