import { Agent, get, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

export const jobs = "/v1/static-export/jobs";

export interface Polls {
    path: string;
    pollers: number;
    /** The interval between the requests of each client. */
    intervalMs: number;
    seconds: number;
}

/** Many clients of one service, in this process. */
export class Clients {
    readonly #agent = new Agent({ keepAlive: true, maxSockets: 2000 });

    constructor(
        private readonly url: string,
        private readonly key: string,
    ) {}

    ask(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
        return new Promise((resolve, reject) => {
            const headers = { authorization: `Bearer ${this.key}`, "content-type": "application/json" };
            const call = request(new URL(path, this.url), { method, headers, agent: this.#agent }, (response) => {
                let text = "";
                response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
                response.on("end", () => {
                    const answer = JSON.parse(text) as Record<string, unknown>;
                    if ((response.statusCode ?? 500) < 300) {
                        resolve(answer);
                    } else {
                        reject(new Error(`${method} ${path}: ${text}`));
                    }
                });
            });
            call.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
        });
    }

    /**
     * Excludes the first request of each poller, because this request also opens the connection.
     *
     * @returns the time of each request in milliseconds, and the number of failed requests
     */
    async poll({ path, pollers, intervalMs, seconds }: Polls): Promise<{ latencies: number[]; errors: number }> {
        const latencies: number[] = [];
        let errors = 0;
        const ask = async (): Promise<number> => {
            const startedMs = performance.now();
            await this.ask("GET", path).catch(() => (errors += 1));
            return performance.now() - startedMs;
        };
        const pollAgain = async (index: number): Promise<void> => {
            await delay((index * intervalMs) / pollers);
            let tookMs = await ask();
            const endMs = performance.now() + seconds * 1000;
            while (performance.now() < endMs) {
                await delay(Math.max(0, intervalMs - tookMs));
                tookMs = await ask();
                latencies.push(tookMs);
            }
        };
        await Promise.all(Array.from({ length: pollers }, (_, index) => pollAgain(index)));
        return { latencies, errors };
    }

    /** Starts an export, and waits for its end. @returns the job's id */
    async export(domain: string, version: string): Promise<string> {
        const { jobId } = await this.ask("POST", jobs, { domain, version });
        for (;;) {
            const { status, error } = await this.ask("GET", `${jobs}/${String(jobId)}`);
            if (status === "completed") {
                return String(jobId);
            }
            if (status === "failed") {
                throw new Error(String(error));
            }
            await delay(100);
        }
    }

    /** Returns the link to a job's bundle; if the link redirects to a bucket, returns the bucket's link. */
    async bundleLink(jobId: string): Promise<string> {
        const { bundleUrl } = await this.ask("POST", `${jobs}/${jobId}/bundle`);
        const { headers, body } = await fetch(String(bundleUrl), { redirect: "manual" });
        await body?.cancel();
        return headers.get("location") ?? String(bundleUrl);
    }

    /**
     * Downloads an archive repeatedly, with pauses of a second, until `signal` is aborted.
     *
     * @param bytesPerSecond - the bandwidth of the client's network @default as fast as loopback allows
     * @returns the number of bytes that arrived
     */
    async downloadAgain(link: string, signal: AbortSignal, bytesPerSecond = Infinity): Promise<number> {
        let bytes = 0;
        while (!signal.aborted) {
            bytes += await this.#download(link, signal, bytesPerSecond);
            await delay(1000, undefined, { signal }).catch(() => undefined);
        }
        return bytes;
    }

    #download(link: string, signal: AbortSignal, bytesPerSecond: number): Promise<number> {
        return new Promise((resolve, reject) => {
            let bytes = 0;
            const startedMs = performance.now();
            const call = get(link, { agent: this.#agent }, (response) => {
                if (response.statusCode !== 200) {
                    reject(new Error(`A download got ${response.statusCode}.`));
                }
                response.on("data", (chunk: Buffer) => {
                    bytes += chunk.length;
                    const aheadMs = (bytes / bytesPerSecond) * 1000 - (performance.now() - startedMs);
                    if (aheadMs > 10) {
                        response.pause();
                        setTimeout(() => response.resume(), aheadMs);
                    }
                });
                response.on("end", () => resolve(bytes));
                response.on("error", (error) => (signal.aborted ? resolve(bytes) : reject(error)));
            });
            const stop = () => call.destroy();
            call.on("error", (error) => (signal.aborted ? resolve(bytes) : reject(error)));
            call.on("close", () => signal.removeEventListener("abort", stop));
            signal.addEventListener("abort", stop, { once: true });
        });
    }

    close(): void {
        this.#agent.destroy();
    }
}

export function percentile(latencies: readonly number[], percent: number): number {
    const sorted = [...latencies].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? NaN;
}

export function describeLatencies(latencies: readonly number[]): string {
    const [p50, p99, max] = [50, 99, 100].map((percent) => percentile(latencies, percent).toFixed(1));
    return `${latencies.length} requests, p50 ${p50} ms, p99 ${p99} ms, max ${max} ms`;
}
