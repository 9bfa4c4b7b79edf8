import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { cpuSecondsOf } from "../cpu-seconds.js";
import { describeLatencies, type Polls } from "./clients.js";
import { poll, type Polled } from "./load.js";

/** A server whose response times are measured. */
export interface PolledServer {
    name: string;
    url: string;
    key: string;
    processId: number;
}

/** Prints the clients' latencies, their own delays, and the server's cost of a request. */
export async function measureServer(server: PolledServer, polls: Polls, meanwhile: string): Promise<Polled> {
    const { name, url, key, processId } = server;
    const before = cpuSecondsOf(processId);
    const polled = await poll({ ...polls, url, key });
    const cpuMs = ((cpuSecondsOf(processId) - before) * 1000) / polled.latencies.length;
    console.log(
        `${name}, ${meanwhile}: ${describeLatencies(polled.latencies)}, ${polled.errors} errors; the clients' own timers were up to ` +
            `${polled.lagMs.toFixed(1)} ms late (p99); ${cpuMs.toFixed(2)} ms of processor a request`,
    );
    return polled;
}

/** A minimal server: if it is slower than on an idle machine, the machine is the cause. */
export class Peer {
    private constructor(
        private readonly child: ChildProcess,
        readonly server: PolledServer,
    ) {}

    /** @param body - the body of each response */
    static async start(body: string): Promise<Peer> {
        const script = fileURLToPath(new URL("peer-process.ts", import.meta.url));
        const child = spawn(process.execPath, ["--import=tsx", script, body], { stdio: ["ignore", "pipe", "inherit"] });
        const [line] = (await once(child.stdout, "data")) as [Buffer];
        const url = line.toString().trim();
        return new Peer(child, { name: "peer", url, key: "none", processId: Number(child.pid) });
    }

    async stop(): Promise<void> {
        const ended = once(this.child, "close");
        this.child.kill("SIGKILL");
        await ended;
    }
}
