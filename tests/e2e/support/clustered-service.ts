import { join } from "node:path";
import { migrateDatabase, type ServiceOptions } from "@pulumi-static-export/service";
import { freePort } from "@pulumi-static-export/toolchain";
import { bucket, S3Server, setCredentials } from "../../provider/bundle-mirror/s3-server.js";
import {
    createFaultyService,
    createFaultyWorker,
    type FaultyService,
    type FaultyWorker,
} from "../../service/support/faulty-service.js";
import { PostgresServer } from "../../service/support/postgres.js";
import { Forwarder } from "../kubernetes/support/forwarder.js";

/** The numbers of API processes and workers. */
const names = ["1", "2"];

/**
 * A service of several parts: two API processes, which get connections in turn, and two workers. Specs use this service
 * like the one-process service. The parts share only a PostgreSQL database and a bucket: each has its own data folder.
 */
export class ClusteredService implements FaultyService {
    readonly #services: FaultyService[] = [];
    readonly #workers: FaultyWorker[] = [];
    /** The servers that the parts need, in start order. */
    readonly #needed: { stop(): unknown }[] = [];
    #url = "";

    constructor(private readonly options: ServiceOptions) {}

    get url(): string {
        return this.#url;
    }

    async listen(): Promise<string> {
        this.#needed.push({ stop: setCredentials() });
        const postgres = this.#needs(await PostgresServer.start());
        const s3 = this.#needs(await S3Server.start());
        const database = await postgres.createDatabase();
        await migrateDatabase(database);
        const ports = await Promise.all(names.map(() => freePort()));
        let connections = 0;
        const next = () => new URL(`http://127.0.0.1:${ports[connections++ % ports.length]}`);
        this.#url = this.#needs(await Forwarder.start(next)).url;
        const shared = { ...this.options, database, bucket: { url: `s3://${bucket}/docs`, endpoint: s3.endpoint } };
        for (const [index, name] of names.entries()) {
            const dataDir = join(this.options.dataDir, "of");
            const service = createFaultyService({ ...shared, publicUrl: this.#url, dataDir: `${dataDir} api ${name}` });
            this.#services.push(service);
            await service.listen({ port: ports[index] ?? 0 });
            const worker = createFaultyWorker({ ...shared, pollMs: 50, dataDir: `${dataDir} worker ${name}` });
            this.#workers.push(worker);
            await worker.start();
        }
        return this.#url;
    }

    createSignInLink(): string | undefined {
        return this.#services[0]?.createSignInLink();
    }

    /** Sets the faults of every part; each part counts its own faults. */
    setFaults(specs: readonly string[]): void {
        for (const part of [...this.#services, ...this.#workers]) {
            part.setFaults(specs);
        }
    }

    async close(): Promise<void> {
        await Promise.all([...this.#services, ...this.#workers].map((part) => part.close()));
        for (const needed of this.#needed.splice(0).reverse()) {
            await needed.stop();
        }
    }

    #needs<Needed extends { stop(): unknown }>(needed: Needed): Needed {
        this.#needed.push(needed);
        return needed;
    }
}
