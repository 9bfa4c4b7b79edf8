import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { lstat, mkdir, open, readdir, realpath, rm, stat } from "node:fs/promises";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { join, relative } from "node:path";
import { PassThrough, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { BuildCaches } from "../builds/build-caches.js";
import { exitCodeOf } from "../processes/run-process.js";
import { type BuildFrame } from "./build-frames.js";
import { findOutput } from "../builds/build-settings.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";

/** The worker's settings for the first and the last container of a build's pod. */
export interface BuildStepSettings {
    /** The worker's address, for this build. */
    readonly url: string;
    readonly token: string;
    /** The folder of the command, in the checkout. */
    readonly baseFolder: string;
    readonly outputFolder: string;
    readonly diskMegabytes: number;
    /** Undefined for builds without a cache. */
    readonly cacheMegabytes?: number;
}

export type BuildStep = "receive" | "send";

/** Contains {@link BuildStepSettings} as JSON. */
export const buildStepVariable = "STATIC_EXPORT_BUILD";

/** The folders of a build in its pod. */
export function podPlaces(folder: string, baseFolder: string) {
    const root = join(folder, "site");
    return {
        root,
        base: join(root, baseFolder),
        home: join(folder, "home"),
        cache: join(folder, "cache"),
        packed: join(folder, packedCache),
    };
}

/** The name of the packed cache among the files that the pod gets. */
export const packedCache = "cache.tar";

const connectTimes = {
    /** How long to try. */
    allMs: 60_000,
    /** How long to wait for one answer. */
    answerMs: 10_000,
    pauseMs: 1000,
};
type ConnectTimes = typeof connectTimes;

/** A pod has one site. */
const site = "site";

/** The folder of the volume that the containers of a pod share. */
export const podFolder = "/work";

/**
 * Runs in the containers of a pod before and after the build: fetches the checkout, or sends the finished site.
 * @throws ServiceOptionsError outside of such a pod
 */
export async function runBuildStep(
    step: BuildStep,
    env: NodeJS.ProcessEnv,
    folder = podFolder,
    times: Partial<ConnectTimes> = {},
): Promise<void> {
    const text = env[buildStepVariable];
    if (text === undefined) {
        throw new ServiceOptionsError(`--build-step runs in the pods of builds, which have ${buildStepVariable}.`);
    }
    const settings = JSON.parse(text) as BuildStepSettings;
    await (step === "receive"
        ? fetchCheckout(settings, folder, { ...connectTimes, ...times })
        : sendOutput(settings, folder));
}

async function fetchCheckout(settings: BuildStepSettings, folder: string, times: ConnectTimes): Promise<void> {
    const { root, home, cache, packed } = podPlaces(folder, settings.baseFolder);
    await unpack(await connect(settings, times), folder);
    await mkdir(home);
    const caches = join(folder, "caches", site);
    await mkdir(caches, { recursive: true });
    if (await stat(packed).catch(() => undefined)) {
        // An unreadable cache is the same as none.
        await unpack(createReadStream(packed), caches).catch(() => undefined);
        await rm(packed);
    }
    await new BuildCaches(join(folder, "caches")).take(site, { root, base: root, home, cache });
}

async function sendOutput(settings: BuildStepSettings, folder: string): Promise<void> {
    const { outputFolder, diskMegabytes, cacheMegabytes } = settings;
    const root = await realpath(join(folder, "site"));
    const places = { ...podPlaces(folder, settings.baseFolder), root };
    const body = new PassThrough();
    const answered = post(settings, body);
    answered.catch((error: unknown) => body.destroy(error as Error));
    const send = (frame: BuildFrame) => body.write(frameOf(frame));
    const onLine = (line: string) => void send({ line });
    try {
        const base = await realpath(places.base);
        const output = await findOutput({ root, base }, outputFolder, diskMegabytes * 2 ** 20, onLine);
        await sendFiles(output, body);
        if (cacheMegabytes !== undefined) {
            const caches = new BuildCaches(join(folder, "caches"));
            if (await caches.keep(site, { ...places, base }, { output, cacheMegabytes, onLine })) {
                await sendCache(join(folder, "caches", site), body);
            }
        }
        send({ end: true });
    } catch (error) {
        send({ error: (error as Error).message });
    }
    body.end();
    await answered;
}

/** Tries again for a while, because the network of a new pod may not be ready. */
async function connect(
    { url, token }: BuildStepSettings,
    { allMs, answerMs, pauseMs }: ConnectTimes,
): Promise<IncomingMessage> {
    const endMs = performance.now() + allMs;
    for (;;) {
        const request = httpRequest(url, { headers: { authorization: `Bearer ${token}` }, agent: false }).end();
        // A lost connection ends the answer with an error, too.
        request.on("error", () => undefined);
        try {
            const signal = AbortSignal.timeout(answerMs);
            const [answer] = (await once(request, "response", { signal })) as [IncomingMessage];
            if (answer.statusCode !== 200) {
                throw new Error(`The worker answered ${answer.statusCode}.`);
            }
            return answer;
        } catch (error) {
            // Otherwise, the worker could still answer this request, and refuse the next one.
            request.destroy();
            if (performance.now() > endMs || (error as Error).message.startsWith("The worker answered")) {
                throw new Error(`The checkout cannot be fetched from the worker: ${(error as Error).message}`, {
                    cause: error,
                });
            }
            await sleep(pauseMs);
        }
    }
}

async function post({ url, token }: BuildStepSettings, body: PassThrough): Promise<void> {
    const request = httpRequest(url, { method: "POST", headers: { authorization: `Bearer ${token}` }, agent: false });
    request.on("error", () => undefined);
    const answered = once(request, "response") as Promise<[IncomingMessage]>;
    const sent = pipeline(body, request);
    sent.catch(() => undefined);
    const [answer] = await answered;
    answer.resume();
    if (answer.statusCode !== 200) {
        throw new Error(`The worker answered ${answer.statusCode}.`);
    }
    await sent;
}

async function unpack(packed: NodeJS.ReadableStream, folder: string): Promise<void> {
    // An archive ends before its connection: a program that exits earlier would end the connection with an error.
    const script = 'tar -C "$1" -xf - --no-same-owner && cat';
    const child = spawn("/bin/sh", ["-c", script, "sh", folder], { stdio: ["pipe", "ignore", "ignore"] });
    const exited = exitCodeOf(child);
    await pipeline(packed, child.stdin);
    if ((await exited) !== 0) {
        throw new Error("The checkout cannot be unpacked.");
    }
}

/** Packs twice: the size comes first, and the disk may be too small for another copy. */
async function sendCache(folder: string, body: PassThrough): Promise<void> {
    const pack = () => spawn("tar", ["-C", folder, "-cf", "-", "."], { stdio: ["ignore", "pipe", "ignore"] });
    const first = pack();
    const exited = exitCodeOf(first);
    let size = 0;
    for await (const chunk of first.stdout as AsyncIterable<Buffer>) {
        size += chunk.length;
    }
    if ((await exited) === 0) {
        await write(body, frameOf({ cache: size }));
        await writeFrom(pack().stdout, body);
    }
}

async function sendFiles(output: string, body: PassThrough): Promise<void> {
    const folders = [output];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
        for (const name of (await readdir(folder)).sort()) {
            const path = join(folder, name);
            const found = await lstat(path);
            if (found.isDirectory()) {
                folders.push(path);
            } else if (found.isFile()) {
                // A file that cannot be opened must not leave its frame without content.
                const opened = await open(path);
                try {
                    await write(body, frameOf({ file: relative(output, path), size: found.size }));
                    if (found.size > 0) {
                        await writeFrom(opened.createReadStream({ end: found.size - 1, autoClose: false }), body);
                    }
                } finally {
                    await opened.close();
                }
            }
        }
    }
}

function frameOf(frame: BuildFrame): string {
    return `${JSON.stringify(frame)}\n`;
}

async function writeFrom(chunks: AsyncIterable<Buffer>, body: Writable): Promise<void> {
    for await (const chunk of chunks) {
        await write(body, chunk);
    }
}

async function write(body: Writable, chunk: string | Buffer): Promise<void> {
    if (body.destroyed) {
        throw new Error("The worker has closed the connection.");
    }
    if (!body.write(chunk)) {
        await once(body, "drain");
    }
}
