import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@pulumi-static-export/toolchain";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { waitUntil } from "../../wait-until.js";

const program = "/usr/sbin/pgbouncer";

export const hasPgBouncer = (): boolean => existsSync(program) && process.getuid?.() === 0;

/** A PgBouncer in front of a PostgreSQL server, in transaction mode and otherwise with Debian's defaults. */
export class PgBouncer {
    readonly #process: ChildProcess;
    readonly #folder: string;
    readonly port: number;

    private constructor(bouncer: ChildProcess, folder: string, port: number) {
        this.#process = bouncer;
        this.#folder = folder;
        this.port = port;
    }

    static async start(url: string): Promise<PgBouncer> {
        const folder = await mkdtemp(join(tmpdir(), "pgbouncer-"));
        const id = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
        const user = { uid: id("-u"), gid: id("-g") };
        await chown(folder, user.uid, user.gid);
        const port = await freePort();
        await writeFile(join(folder, "users.txt"), '"static_export" ""\n');
        const settings = [
            "[databases]",
            `* = host=127.0.0.1 port=${new URL(url).port}`,
            "[pgbouncer]",
            "listen_addr = 127.0.0.1",
            `listen_port = ${port}`,
            "unix_socket_dir =",
            "auth_type = trust",
            `auth_file = ${join(folder, "users.txt")}`,
            "pool_mode = transaction",
            "max_client_conn = 100",
            "default_pool_size = 20",
        ];
        const ini = join(folder, "pgbouncer.ini");
        await writeFile(ini, `${settings.join("\n")}\n`);
        const bouncer = spawn(program, ["--quiet", ini], { ...user, cwd: folder, stdio: "ignore" });
        const started = new PgBouncer(bouncer, folder, port);
        await waitUntil("PgBouncer accepts connections", async () => {
            const database = new PostgresDatabase(started.through(url));
            try {
                return (await database.get("SELECT 1 AS one")) !== undefined;
            } catch {
                return false;
            } finally {
                await database.close();
            }
        });
        return started;
    }

    /** Returns the address `url` through PgBouncer. */
    through(url: string): string {
        const pooled = new URL(url);
        pooled.port = String(this.port);
        return pooled.href;
    }

    async stop(): Promise<void> {
        const exited = once(this.#process, "exit");
        this.#process.kill("SIGINT");
        await exited;
        await rm(this.#folder, { recursive: true, force: true });
    }
}
