import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { postgresPrograms } from "../../../service/support/postgres.js";
import { waitUntil } from "../../../wait-until.js";

const run = promisify(execFile);

/** Networks of concurrent specs have different names, which contain the process id. */
const bridge = `db${process.pid}`;
const network = `10.${150 + (process.pid % 50)}.${process.pid % 251}`;
const port = 5432;
const user = "static_export";

type Machine = "service" | "primary" | "standby";

const addresses: Record<Machine, string> = {
    service: `${network}.2`,
    primary: `${network}.11`,
    standby: `${network}.12`,
};
const namespaceOf = (machine: Machine): string => `${bridge}-${machine}`;

/**
 * A database that fails over as managed databases do: a primary and a synchronous standby with separate networks, and a
 * host name that resolves to the primary. A third network is for the processes of the service. Needs root on Linux.
 */
export class DatabaseMachines {
    /** The address at which processes of this machine reach the service's processes. */
    readonly serviceAddress = addresses.service;
    /** Runs a program, passed as the last arguments, in the service's network. */
    readonly commandPrefix = ["ip", "netns", "exec", namespaceOf("service")];
    /** The database's address, which contains its host name. */
    readonly byName = `postgres://${user}@database.test:${port}/postgres`;
    /** The database's address, which contains the addresses of both machines. */
    readonly byHosts = `postgres://${user}@${addresses.primary}:${port},${addresses.standby}:${port}/postgres`;
    readonly #folder: string;
    readonly #servers: ChildProcess[] = [];

    private constructor(folder: string) {
        this.#folder = folder;
    }

    static async create(): Promise<DatabaseMachines> {
        const created = new DatabaseMachines(await mkdtemp(join(tmpdir(), "machines-")));
        try {
            await run("chown", ["postgres:", created.#folder]);
            await created.#createNetworks();
            await created.#startPrimary();
            await created.#startStandby();
            await created.#name("primary");
            return created;
        } catch (error) {
            await created.remove();
            throw error;
        }
    }

    /**
     * Loses the primary's machine: packets to it vanish without a response. The standby becomes the primary, and gets
     * the host name.
     */
    async failOver(): Promise<void> {
        await inside("primary", "ip", "link", "set", "eth0", "down");
        await this.#query("standby", "SELECT pg_promote()");
        await this.#name("standby");
    }

    async remove(): Promise<void> {
        for (const server of this.#servers.filter(({ exitCode }) => exitCode === null)) {
            const exited = once(server, "exit");
            server.kill("SIGQUIT");
            await exited;
        }
        for (const [index, machine] of (Object.keys(addresses) as Machine[]).entries()) {
            // The kernel removes the links of a namespace later than its name.
            await run("ip", ["link", "delete", `${bridge}.${index}`]).catch(() => undefined);
            await run("ip", ["netns", "delete", namespaceOf(machine)]).catch(() => undefined);
        }
        await run("ip", ["link", "delete", bridge]).catch(() => undefined);
        await rm(join("/etc/netns", namespaceOf("service")), { recursive: true, force: true });
        await rm(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }

    async #createNetworks(): Promise<void> {
        await run("ip", ["link", "add", bridge, "type", "bridge"]);
        await run("ip", ["address", "add", `${network}.1/24`, "dev", bridge]);
        await run("ip", ["link", "set", bridge, "up"]);
        for (const [index, machine] of (Object.keys(addresses) as Machine[]).entries()) {
            const [name, near] = [namespaceOf(machine), `${bridge}.${index}`];
            await run("ip", ["netns", "add", name]);
            await run("ip", ["link", "add", near, "type", "veth", "peer", "name", "eth0", "netns", name]);
            await run("ip", ["link", "set", near, "master", bridge, "up"]);
            await inside(machine, "ip", "address", "add", `${addresses[machine]}/24`, "dev", "eth0");
            await inside(machine, "ip", "link", "set", "lo", "up");
            await inside(machine, "ip", "link", "set", "eth0", "up");
        }
        // Sets a fixed hardware address: otherwise the service's kernel, which is in the same network, reports the lost
        // machine as unreachable.
        const { stdout } = await inside("primary", "cat", "/sys/class/net/eth0/address");
        const fixed = [addresses.primary, "lladdr", stdout.trim(), "dev", "eth0", "nud", "permanent"];
        await inside("service", "ip", "neigh", "replace", ...fixed);
        // `ip netns exec` mounts this folder's files over the files in /etc.
        await mkdir(join("/etc/netns", namespaceOf("service")), { recursive: true });
    }

    async #startPrimary(): Promise<void> {
        const data = join(this.#folder, "primary");
        await asServer("initdb", "-D", data, "-U", user, "-A", "trust", "-E", "UTF8", "--locale=C", "-N");
        await appendFile(join(data, "pg_hba.conf"), "host all all all trust\nhost replication all all trust\n");
        await this.#start("primary");
    }

    async #startStandby(): Promise<void> {
        const data = join(this.#folder, "standby");
        const from = ["-h", addresses.primary, "-p", String(port), "-U", user];
        await asServer("pg_basebackup", "-D", data, ...from, "-R", "-X", "stream", "-c", "fast");
        await this.#start("standby");
        // From now on, the primary confirms no commit before the standby has stored it.
        await this.#query("primary", "ALTER SYSTEM SET synchronous_standby_names = '*'");
        await this.#query("primary", "SELECT pg_reload_conf()");
    }

    async #start(machine: "primary" | "standby"): Promise<void> {
        const settings = ["listen_addresses=*", "unix_socket_directories=", "fsync=off"];
        const args = ["-D", join(this.#folder, machine), ...settings.flatMap((setting) => ["-c", setting])];
        const prefix = ["netns", "exec", namespaceOf(machine), "setpriv", "--reuid=postgres", "--regid=postgres"];
        const program = [...prefix, "--clear-groups", programOf("postgres")];
        this.#servers.push(spawn("ip", [...program, ...args], { cwd: this.#folder, stdio: "ignore" }));
        await waitUntil(`the ${machine} answers`, () =>
            this.#query(machine, "SELECT 1").then(
                () => true,
                () => false,
            ),
        );
    }

    async #query(machine: "primary" | "standby", sql: string): Promise<void> {
        await inside(machine, "psql", `postgres://${user}@127.0.0.1:${port}/postgres`, "-c", sql);
    }

    /** Processes that are already running see the changed file, because it is written in place. */
    async #name(machine: "primary" | "standby"): Promise<void> {
        const hosts = join("/etc/netns", namespaceOf("service"), "hosts");
        await writeFile(hosts, `127.0.0.1 localhost\n${addresses[machine]} database.test\n`);
    }
}

function programOf(name: string): string {
    return join(postgresPrograms() ?? "", name);
}

function inside(machine: Machine, ...command: string[]): Promise<{ stdout: string }> {
    return run("ip", ["netns", "exec", namespaceOf(machine), ...command]);
}

/** PostgreSQL's programs refuse to run as root. */
async function asServer(program: string, ...args: string[]): Promise<void> {
    const user = ["--reuid=postgres", "--regid=postgres", "--clear-groups"];
    await run("setpriv", [...user, programOf(program), ...args], { cwd: tmpdir() });
}
