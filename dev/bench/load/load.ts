import { type ChildProcess, spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Polls } from "./clients.js";

export interface PollLoad extends Polls {
    url: string;
    key: string;
}

export interface Polled {
    /** The time of each request in milliseconds. */
    latencies: number[];
    /** The number of failed requests, for example with status 503 if the machine is too busy for the database. */
    errors: number;
    /** The 99th percentile of the delay of the clients' own timers; latencies may include this delay. */
    lagMs: number;
}

export interface DownloadLoad {
    url: string;
    key: string;
    link: string;
    /**
     * The number of concurrent clients. Each client starts its next download one second after the last one has ended.
     */
    downloads: number;
    /** The bandwidth of a client's network. @default as fast as loopback allows */
    bytesPerSecond?: number;
}

export interface Downloaded {
    bytes: number;
}

/** Polls from a separate process, so that the clients' work does not delay measured responses. */
export function poll(load: PollLoad): Promise<Polled> {
    return resultOf<Polled>(start(load, "ignore"));
}

/** Downloads in a separate process until the downloads are stopped. */
export function startDownloads(load: DownloadLoad): { stop: () => Promise<Downloaded> } {
    const child = start(load, "pipe");
    const result = resultOf<Downloaded>(child);
    return {
        stop() {
            child.stdin?.end();
            return result;
        },
    };
}

function start(load: PollLoad | DownloadLoad, stdin: "pipe" | "ignore"): ChildProcess {
    const script = fileURLToPath(new URL("load-process.ts", import.meta.url));
    const args = ["--import=tsx", script, JSON.stringify(load)];
    return spawn(process.execPath, args, { stdio: [stdin, "pipe", "inherit"] });
}

async function resultOf<Result>({ stdout }: ChildProcess): Promise<Result> {
    return JSON.parse(stdout === null ? "" : await text(stdout)) as Result;
}
