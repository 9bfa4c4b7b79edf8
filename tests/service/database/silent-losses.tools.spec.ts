import assert from "node:assert/strict";
import { createServer, connect, type AddressInfo, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { DatabaseUnavailableError } from "../../../service/src/database/database.js";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { waitUntil } from "../../wait-until.js";
import { usePostgres } from "../support/postgres.js";

/** Forwards connections, and resets each at the moment that a spec chooses. */
class ResettingProxy {
    readonly #server: Server;
    readonly links = new Set<Socket>();
    resets = 0;
    /** The connection is reset when the client sends this text. */
    trigger: string | undefined;

    constructor(targetPort: number) {
        this.#server = createServer((near) => {
            const far = connect(targetPort, "127.0.0.1");
            this.links.add(near);
            near.on("error", () => undefined).on("close", () => {
                this.links.delete(near);
                far.destroy();
            });
            far.on("error", () => undefined)
                .on("close", () => near.destroy())
                .on("data", (data) => near.write(data));
            near.on("data", (data) => {
                if (this.trigger !== undefined && data.includes(this.trigger)) {
                    this.resets += 1;
                    near.resetAndDestroy();
                } else {
                    far.write(data);
                }
            });
        });
    }

    async listen(): Promise<number> {
        this.#server.listen(0, "127.0.0.1");
        await once(this.#server, "listening");
        return (this.#server.address() as AddressInfo).port;
    }

    async close(): Promise<void> {
        this.#server.close();
        this.links.forEach((link) => link.destroy());
        await once(this.#server, "close");
    }
}

describe("A connection to one of several PostgreSQL hosts", () => {
    const server = usePostgres();

    async function withHosts(use: (database: PostgresDatabase, hosts: ResettingProxy[]) => Promise<void>) {
        const url = new URL(await server().createDatabase());
        const hosts = [1, 2].map(() => new ResettingProxy(Number(url.port)));
        const [one, two] = await Promise.all(hosts.map((host) => host.listen()));
        const database = new PostgresDatabase(
            `postgres://static_export@127.0.0.1:${one},127.0.0.1:${two}${url.pathname}`,
        );
        const uncaught: unknown[] = [];
        const listeners = process.listeners("uncaughtException");
        const note = (error: unknown): void => void uncaught.push(error);
        process.removeAllListeners("uncaughtException").on("uncaughtException", note);
        try {
            await use(database, hosts);
            assert.deepEqual(uncaught, []);
        } finally {
            process.off("uncaughtException", note);
            listeners.forEach((listener) => process.on("uncaughtException", listener));
            await database.close();
            await Promise.all(hosts.map((host) => host.close()));
        }
    }

    it("ends no process when it is lost while the service asks whether the host accepts writes", async () => {
        await withHosts(async (database, hosts) => {
            hosts.forEach((host) => (host.trigger = "transaction_read_only"));
            for (let count = 0; count < 5; count += 1) {
                await assert.rejects(database.get("SELECT 1 AS one"), DatabaseUnavailableError);
            }
            assert.ok(hosts.every(({ resets }) => resets > 0));
            hosts.forEach((host) => (host.trigger = undefined));
            assert.deepEqual(await database.get("SELECT 1 AS one"), { one: 1 });
        });
    });

    it("is replaced without more than six connections at any time, however often one is lost", async () => {
        await withHosts(async (database, hosts) => {
            const admin = new PostgresDatabase(await server().createDatabase());
            try {
                let isDone = false;
                const load = Array.from({ length: 12 }, async () => {
                    while (!isDone) {
                        await database.get("SELECT pg_sleep(0.005)").catch(() => undefined);
                    }
                });
                let most = 0;
                for (let losses = 0; losses < 20; losses += 1) {
                    const link = await waitUntil("a connection", () => hosts.flatMap(({ links }) => [...links])[0]);
                    const closed = once(link, "close");
                    link.resetAndDestroy();
                    await closed;
                    // A statement that takes time lets the service connect again.
                    await admin.run("SELECT pg_sleep(0.02)");
                    const { used, idle } = database.connections();
                    const links = hosts.reduce((sum, host) => sum + host.links.size, 0);
                    most = Math.max(most, used + idle, links);
                }
                isDone = true;
                await Promise.all(load);
                assert.ok(most <= 6, `${most} connections`);
                assert.deepEqual(await database.get("SELECT 1 AS one"), { one: 1 });
            } finally {
                await admin.close();
            }
        });
    });
});
