import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { migrateDatabase, type WorkerOptions } from "@pulumi-static-export/service";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { Command } from "../../../tests/cli/support/command.js";
import { bucket, credentialVariables, S3Server } from "../../../tests/provider/bundle-mirror/s3-server.js";
import { PostgresServer } from "../../../tests/service/support/postgres.js";
import { Corpus } from "../site/corpus.js";
import { Clients } from "./clients.js";
import type { PolledServer } from "./polled-server.js";

export const domains = Array.from({ length: 40 }, (_, index) => `docs-${index}.example.com`);
const key = "admin_load-key";

export interface WorkerSettings extends Pick<
    WorkerOptions,
    "database" | "dataDir" | "sites" | "bucket" | "concurrency"
> {
    /** How long an export takes. */
    jobMs: number;
    /** The size of an export's bundle. */
    bundleBytes: number;
}

/** A service of several processes: PostgreSQL, a bucket, one process of the API, and workers with paced exports. */
export class ClusteredService {
    readonly clients: Clients;
    readonly #workers: ChildProcess[] = [];

    private constructor(
        private readonly folder: string,
        private readonly site: Corpus,
        private readonly postgres: PostgresServer,
        private readonly s3: S3Server,
        private readonly database: string,
        private readonly api: Command,
        private readonly work: (dataDir: string) => Command,
        private readonly url: string,
    ) {
        this.clients = new Clients(url, key);
    }

    /** The process with the API. */
    get server(): PolledServer {
        return { name: "service", url: this.url, key, processId: Number(this.api.pid) };
    }

    /** @param pages - the number of pages of the site that all domains share */
    static async start(pages = 1): Promise<ClusteredService> {
        const folder = await mkdtemp(join(tmpdir(), "service-load-"));
        const site = new Corpus(pages);
        await site.write(join(folder, "site"));
        await writeFile(join(folder, "key"), key, { mode: 0o600 });
        const postgres = await PostgresServer.start();
        const s3 = await S3Server.start();
        const database = await postgres.createDatabase();
        await migrateDatabase(database);
        const sites = domains.flatMap((domain) => ["--site", `${domain}=${join(folder, "site")}`]);
        const shared = [...sites, "--bucket", `s3://${bucket}/load`, "--bucket-endpoint", s3.endpoint];
        const env = { STATIC_EXPORT_DATABASE_URL: database, ...credentialVariables };
        const files = ["--data-dir", join(folder, "api"), "--admin-key-file", join(folder, "key")];
        const api = new Command(["serve", "--port", "0", ...shared, ...files], { cwd: folder, env });
        const work = (dataDir: string) => new Command(["work", ...shared, "--data-dir", dataDir], { cwd: folder, env });
        return new ClusteredService(folder, site, postgres, s3, database, api, work, await api.serves());
    }

    changeOnePage(): Promise<unknown> {
        return this.site.changeOnePage(join(this.folder, "site"));
    }

    /** Runs a worker that exports, with an empty data folder, until `use` has settled. */
    async withWorker<Result>(use: () => Promise<Result>): Promise<Result> {
        const worker = this.work(await mkdtemp(join(this.folder, "worker-")));
        try {
            await worker.prints(/^Worker for /m);
            return await use();
        } finally {
            worker.signal("SIGKILL");
            await worker.exited;
        }
    }

    /** Adds a worker with paced exports; resolves when the worker looks for jobs. */
    async addWorker(jobMs: number, bundleBytes: number): Promise<void> {
        const settings: WorkerSettings = {
            database: this.database,
            dataDir: join(this.folder, `worker-${this.#workers.length}`),
            sites: Object.fromEntries(domains.map((domain) => [domain, join(this.folder, "site")])),
            bucket: { url: `s3://${bucket}/load`, endpoint: this.s3.endpoint },
            concurrency: 2,
            jobMs,
            bundleBytes,
        };
        const script = fileURLToPath(new URL("worker-process.ts", import.meta.url));
        const worker = spawn(process.execPath, ["--import=tsx", script, JSON.stringify(settings)], {
            env: { ...process.env, ...credentialVariables },
            stdio: ["ignore", "pipe", "inherit"],
        });
        this.#workers.push(worker);
        await once(worker.stdout, "data");
    }

    /** Resolves when no job is queued or running. */
    async untilEmpty(): Promise<void> {
        const left = "SELECT 1 FROM static_export_jobs WHERE status IN ('queued', 'running') LIMIT 1";
        while ((await this.sql(left)).length > 0) {
            await delay(50);
        }
    }

    async sql(statement: string): Promise<unknown[]> {
        const database = new PostgresDatabase(this.database);
        try {
            return await database.all(statement);
        } finally {
            await database.close();
        }
    }

    /** Returns the current memory of the API's process. */
    apiMegabytes(): number {
        const status = readFileSync(`/proc/${this.api.pid}/status`, "utf8");
        return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
    }

    async stop(): Promise<void> {
        this.clients.close();
        for (const worker of this.#workers) {
            worker.kill("SIGKILL");
        }
        this.api.signal("SIGKILL");
        await this.api.exited;
        await this.s3.stop();
        await this.postgres.stop();
        await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
    }
}
