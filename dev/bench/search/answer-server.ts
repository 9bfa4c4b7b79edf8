import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { cpuSecondsOf } from "../cpu-seconds.js";
import { memoryOf } from "../memory-of.js";

const command = fileURLToPath(new URL("../../../cli/bin/static-export.js", import.meta.url));

interface AnswerLoad {
    readonly clients: number;
    /** The interval between a client's requests; 0 means immediately after each response. */
    readonly everyMs: number;
    readonly queries: readonly string[];
}

interface AnswerFigures {
    readonly timesMs: readonly number[];
    readonly requestsPerSecond: number;
    /** The server's CPU time for one request. */
    readonly cpuMsPerRequest: number;
    readonly peakMegabytes: number;
}

/**
 * Searches a site through `static-export answer`, with one load after the other.
 *
 * @param folder the exported site
 * @param earlierQueries queries that are sent first, so that the server's caches are filled as after some use
 * @throws Error if a request fails
 */
export async function measureAnswers(
    folder: string,
    earlierQueries: readonly string[],
    loads: readonly AnswerLoad[],
): Promise<AnswerFigures[]> {
    const server = spawn(process.execPath, [command, "answer", folder, "--port", "0"], {
        stdio: ["ignore", "pipe", "inherit"],
    });
    const agent = new Agent({ keepAlive: true });
    try {
        const { host } = new URL(await addressOf(server.stdout));
        const ask = (query: string) => search(agent, host, query);
        await askAll({ clients: 10, everyMs: 0, queries: earlierQueries }, ask);
        const figures: AnswerFigures[] = [];
        for (const load of loads) {
            const cpuBefore = cpuSecondsOf(server.pid!);
            const startedMs = performance.now();
            const timesMs = await askAll(load, ask);
            const seconds = (performance.now() - startedMs) / 1000;
            const cpuSeconds = cpuSecondsOf(server.pid!) - cpuBefore;
            figures.push({
                timesMs,
                requestsPerSecond: timesMs.length / seconds,
                cpuMsPerRequest: (cpuSeconds * 1000) / timesMs.length,
                peakMegabytes: memoryOf(server.pid!, "peak"),
            });
        }
        return figures;
    } finally {
        agent.destroy();
        const ended = once(server, "exit");
        server.kill();
        await ended;
    }
}

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
    let said = "";
    for await (const chunk of output) {
        said += String(chunk);
        const address = /http:\/\/[^\s]+/.exec(said)?.[0];
        if (address !== undefined && said.includes("\n")) {
            return address;
        }
    }
    throw new Error(`static-export answer ended: ${said}`);
}

/** @returns the time of each response, measured from the time when the request was due */
async function askAll({ clients, everyMs, queries }: AnswerLoad, ask: (query: string) => Promise<void>) {
    const timesMs: number[] = [];
    const waiting = queries.values();
    const client = async (_: unknown, at: number) => {
        let wantedMs = performance.now() + (everyMs * at) / clients;
        for (const query of waiting) {
            if (everyMs > 0) {
                await setTimeout(Math.max(0, wantedMs - performance.now()));
            }
            await ask(query);
            const nowMs = performance.now();
            timesMs.push(nowMs - wantedMs);
            wantedMs = everyMs === 0 ? nowMs : wantedMs + everyMs;
        }
    };
    await Promise.all(Array.from({ length: clients }, client));
    return timesMs;
}

async function search(agent: Agent, host: string, query: string): Promise<void> {
    const [hostname, port] = host.split(":");
    const asked = request({
        ...{ agent, hostname, port, method: "POST", path: "/v1/search/docs.example.com" },
        headers: { "Content-Type": "application/json" },
    });
    asked.end(JSON.stringify({ query }));
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    const answer = await text(response);
    if (response.statusCode !== 200) {
        throw new Error(`the search for ${JSON.stringify(query)} ended with ${response.statusCode}: ${answer}`);
    }
}
