/**
 * How long a status request takes while sites are exported: 200 clients poll, 20 download, and one job follows another.
 * See ../README.md for the model and the figures.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { Agent, get, request, type RequestOptions } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Corpus } from "../site-export/corpus.js";

const { values } = parseArgs({
    options: {
        pollers: { type: "string", default: "200" },
        downloads: { type: "string", default: "20" },
        seconds: { type: "string", default: "30" },
        pages: { type: "string", default: "1000" },
        /** How often each poller sends a request. */
        "interval-ms": { type: "string", default: "1000" },
        "limit-ms": { type: "string", default: "50" },
    },
});
const domain = "docs.example.com";
const jobs = "/v1/static-export/jobs";
const agent = new Agent({ keepAlive: true, maxSockets: 1000 });
const folder = await mkdtemp(join(tmpdir(), "service-load-"));
let service: ChildProcess | undefined;
try {
    await new Corpus(Number(values.pages)).write(join(folder, "site"));
    service = spawn(process.execPath, [
        fileURLToPath(new URL("../../../cli/bin/static-export.js", import.meta.url)),
        ...["serve", "--port", "0", "--site", `${domain}=${join(folder, "site")}`, "--data-dir", join(folder, "data")],
    ]);
    const base = await addressOf(service);
    const key = (await readFile(join(folder, "data", "admin-api-key"), "utf8")).trim();
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

    const ask = (method: string, path: string, body?: object): Promise<Record<string, unknown>> =>
        new Promise((resolve, reject) => {
            const options: RequestOptions = { method, headers, agent };
            const call = request(new URL(path, base), options, (response) => {
                let text = "";
                response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
                response.on("end", () => resolve(JSON.parse(text) as Record<string, unknown>));
            });
            call.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
        });
    let versions = 0;
    /** Each export has another version, which stands on every page: nothing can be taken over from the last one. */
    const exportOnce = async (): Promise<string> => {
        const { jobId } = await ask("POST", jobs, { domain, version: String(++versions) });
        for (;;) {
            const { status, error } = await ask("GET", `${jobs}/${String(jobId)}`);
            if (status === "completed") {
                return String(jobId);
            }
            if (status === "failed") {
                throw new Error(String(error));
            }
            await delay(100);
        }
    };

    const first = await exportOnce();
    const { bundleUrl } = await ask("POST", `${jobs}/${first}/bundle`);
    const quiet = await measure(0, 5);
    const loaded = await measure(Number(values.downloads), Number(values.seconds));
    print("alone", quiet);
    print("with exports and downloads", loaded);
    if (percentile(loaded.latencies, 99) >= Number(values["limit-ms"])) {
        console.log(`p99 is over its limit of ${values["limit-ms"]} ms.`);
        process.exitCode = 1;
    }

    async function measure(downloads: number, seconds: number) {
        const latencies: number[] = [];
        let bytes = 0;
        let exports = 0;
        const endMs = performance.now() + seconds * 1000;
        const going = (): boolean => performance.now() < endMs;
        const intervalMs = Number(values["interval-ms"]);
        const poll = async (index: number): Promise<void> => {
            await delay((index * intervalMs) / Number(values.pollers));
            while (going()) {
                const startedMs = performance.now();
                await ask("GET", `${jobs}/${first}`);
                latencies.push(performance.now() - startedMs);
                await delay(Math.max(0, intervalMs - (performance.now() - startedMs)));
            }
        };
        const download = async (): Promise<void> => {
            while (going()) {
                await new Promise<void>((resolve, reject) => {
                    get(String(bundleUrl), { agent }, (response) => {
                        response.on("data", (chunk: Buffer) => (bytes += chunk.length));
                        response.on("end", resolve);
                    }).on("error", reject);
                });
                // Real clients are limited by their network: pause, instead of downloading as fast as loopback allows.
                await delay(1000);
            }
        };
        const exportAll = async (): Promise<void> => {
            while (downloads > 0 && going()) {
                await exportOnce();
                exports += 1;
            }
        };
        await Promise.all([
            ...Array.from({ length: Number(values.pollers) }, (_, index) => poll(index)),
            ...Array.from({ length: downloads }, download),
            exportAll(),
        ]);
        return { latencies, megabytes: bytes / 1e6, exports };
    }
} finally {
    service?.kill();
    agent.destroy();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

function addressOf(child: ChildProcess): Promise<string> {
    return new Promise((resolve, reject) => {
        let text = "";
        child.stdout?.on("data", (chunk: Buffer) => {
            text += chunk.toString();
            const [, address] = /address +(http\S+)[^]*Press Ctrl-C/.exec(text) ?? [];
            if (address !== undefined) {
                resolve(address);
            }
        });
        child.once("exit", () => reject(new Error(`The service ended: ${text}`)));
    });
}

function percentile(latencies: readonly number[], percent: number): number {
    const sorted = [...latencies].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? NaN;
}

function print(what: string, measured: { latencies: number[]; megabytes: number; exports: number }): void {
    const [p50, p99, max] = [50, 99, 100].map((percent) => percentile(measured.latencies, percent).toFixed(1));
    console.log(
        `${what}: ${measured.latencies.length} requests, p50 ${p50} ms, p99 ${p99} ms, max ${max} ms; ` +
            `${measured.exports} exports, ${measured.megabytes.toFixed(0)} MB downloaded`,
    );
}
