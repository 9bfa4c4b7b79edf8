import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command, run } from "../../../cli/support/command.js";
import { bucket, credentialVariables, S3Server } from "../../../provider/bundle-mirror/s3-server.js";
import { PostgresServer } from "../../../service/support/postgres.js";
import { scaled } from "../../../scale.js";
import { fastHeartbeats } from "../../../support/fast-heartbeats.js";
import { type CutNetwork } from "./cut-network.js";
import { adminKey, ServiceParts, siteDomains, sitePages } from "./service-parts.js";

export type Part = "api" | "worker 1" | "worker 2" | "network of worker 1" | "postgres" | "storage";

/**
 * A service, two workers and their database as processes on this machine: with one data folder, or with a bucket and
 * separate data folders.
 */
export class Cluster extends ServiceParts<Part> {
    readonly #folder: string;
    readonly #postgres: PostgresServer;
    readonly #s3: S3Server | undefined;
    readonly #env: Record<string, string>;
    readonly #network: CutNetwork | undefined;
    readonly #processes = new Map<Part, Command>();
    readonly #ended: Command[] = [];

    private constructor(
        folder: string,
        postgres: PostgresServer,
        database: string,
        { s3, network }: { s3: S3Server | undefined; network: CutNetwork | undefined },
    ) {
        super(database, siteDomains(scaled({ short: 3, long: 40 })));
        this.#network = network;
        this.#folder = folder;
        this.#postgres = postgres;
        this.#s3 = s3;
        this.#env = { STATIC_EXPORT_DATABASE_URL: database, ...(s3 === undefined ? {} : credentialVariables) };
    }

    /** @param network - the network of the first worker @default the machine's network */
    static async start(folder: string, storage: "folder" | "bucket", network?: CutNetwork): Promise<Cluster> {
        await mkdir(join(folder, "site"));
        for (const [name, text] of Object.entries(sitePages)) {
            await writeFile(join(folder, "site", name), text);
        }
        await writeFile(join(folder, "key"), adminKey, { mode: 0o600 });
        const address = network?.hostAddress;
        const postgres = await PostgresServer.start(address);
        const s3 = storage === "bucket" ? await S3Server.start(address) : undefined;
        const cluster = new Cluster(folder, postgres, await postgres.createDatabase(), { s3, network });
        try {
            await cluster.#startProcesses();
            return cluster;
        } catch (error) {
            await cluster.stop();
            throw error;
        }
    }

    async #startProcesses(): Promise<void> {
        // The workers start before the schema exists, so they wait for it.
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
        if (part === "network of worker 1") {
            await this.#processes.get("worker 1")?.prints(/ started\.$/m);
            await this.#network?.cut();
            await this.givenAway(await this.runs());
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
        if (part === "network of worker 1") {
            await this.#network?.restore();
            return;
        }
        const command = this.#spawn(part);
        if (part === "api") {
            this.url = await command.serves();
        }
    }

    log(): Promise<string> {
        const commands = [...this.#ended, ...this.#processes.values()];
        return Promise.resolve(commands.map(({ stdout, stderr }) => stdout + stderr).join("\n"));
    }

    async stop(): Promise<void> {
        for (const part of this.#processes.keys()) {
            await this.kill(part);
        }
        await this.#postgres.stop();
        await this.#s3?.stop();
    }

    async stored(): Promise<string[]> {
        if (this.#s3 !== undefined) {
            return this.#s3.bundles("docs");
        }
        const names = await readdir(join(this.#folder, "data", "bundles"));
        return names.map((name) => name.replace(".tar.gz", "")).sort();
    }

    #spawn(part: Part): Command {
        const earlier = this.#processes.get(part);
        if (earlier !== undefined) {
            this.#ended.push(earlier);
        }
        const sites = this.domains.flatMap((domain) => ["--site", `${domain}=${join(this.#folder, "site")}`]);
        const dataDir = this.#s3 === undefined ? "data" : `data of ${part}`;
        const storage =
            this.#s3 === undefined ? [] : ["--bucket", `s3://${bucket}/docs`, "--bucket-endpoint", this.#s3.endpoint];
        const shared = [...sites, "--data-dir", join(this.#folder, dataDir), ...storage];
        const args =
            part === "api"
                ? ["serve", ...shared, "--port", "0", "--admin-key-file", join(this.#folder, "key")]
                : ["work", ...shared];
        const prefix = part === "worker 1" ? (this.#network?.commandPrefix ?? []) : [];
        const command = new Command(args, { cwd: this.#folder, env: { ...this.#env, ...fastHeartbeats }, prefix });
        this.#processes.set(part, command);
        return command;
    }
}
