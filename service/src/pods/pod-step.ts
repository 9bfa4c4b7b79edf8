import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { cp, lstat, mkdir, mkdtemp, open, readdir, readlink, realpath, rm, stat } from "node:fs/promises";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { join, relative } from "node:path";
import { PassThrough, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { BuildCaches } from "../builds/build-caches.js";
import { Git } from "../git/git.js";
import { ProcessMark } from "../processes/process-mark.js";
import { makeWritable, removeLeftovers } from "../processes/remove-leftovers.js";
import { exitCodeOf } from "../processes/run-process.js";
import { findOutput } from "../builds/build-settings.js";
import { misnamed } from "../builds/collect-output.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";
import { endFile, readEnd } from "./command-end.js";
import { type Frame } from "./frames.js";
import { type PodOutput } from "./pod-work.js";

/** The worker's settings for the first and the last container of a pod. */
export interface PodStepSettings {
    /** The worker's address, for this pod. */
    readonly url: string;
    readonly token: string;
    /** Undefined to send the whole checkout. */
    readonly output?: PodOutput;
}

export type PodStep = "receive" | "send";

/** Contains {@link PodStepSettings} as JSON. */
export const podStepVariable = "STATIC_EXPORT_POD";

/** The folders of a build in its pod. */
export function podPlaces(folder: string, baseFolder = ".") {
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

/** The folder of an agent's checkout, in the folder of its pod. */
export const checkoutFolder = "checkout";

/** Git's index of an agent's checkout before the agent runs, in the folder of its pod. */
const indexFile = "index";

/**
 * Runs in the containers of a pod before and after the build: fetches the checkout, or sends the output.
 * @throws ServiceOptionsError outside of such a pod
 */
export async function runPodStep(
    step: PodStep,
    env: NodeJS.ProcessEnv,
    folder = podFolder,
    times: Partial<ConnectTimes> = {},
): Promise<void> {
    const text = env[podStepVariable];
    if (text === undefined) {
        throw new ServiceOptionsError(
            `--pod-step runs only in the pods of builds and agents, where ${podStepVariable} is set.`,
        );
    }
    const settings = JSON.parse(text) as PodStepSettings;
    await (step === "receive"
        ? fetchCheckout(settings, folder, { ...connectTimes, ...times })
        : sendOutput(settings, folder));
}

async function fetchCheckout(settings: PodStepSettings, folder: string, times: ConnectTimes): Promise<void> {
    const { root, home, cache, packed } = podPlaces(folder, settings.output?.baseFolder);
    await unpack(await connect(settings, times), folder);
    await mkdir(home);
    if (settings.output === undefined) {
        // The agent may add files to the index that its commit leaves out.
        await cp(join(folder, checkoutFolder, ".git/index"), join(folder, indexFile));
        return;
    }
    const caches = join(folder, "caches", site);
    await mkdir(caches, { recursive: true });
    if (await stat(packed).catch(() => undefined)) {
        // An unreadable cache is the same as none.
        await unpack(createReadStream(packed), caches).catch(() => undefined);
        await rm(packed);
    }
    await new BuildCaches(join(folder, "caches")).take(site, { root, base: root, home, cache });
}

async function sendOutput(settings: PodStepSettings, folder: string): Promise<void> {
    const body = new PassThrough();
    const answered = post(settings, body);
    answered.catch((error: unknown) => body.destroy(error as Error));
    const send = (frame: Frame) => body.write(frameOf(frame));
    try {
        await (settings.output === undefined ? sendCheckout(folder, body) : sendSite(settings.output, folder, body));
        send({ end: true });
    } catch (error) {
        send({ error: (error as Error).message });
    }
    body.end();
    await answered;
}

async function sendCheckout(folder: string, body: PassThrough): Promise<void> {
    const failed = await readEnd(join(folder, endFile));
    if (failed !== undefined) {
        body.write(frameOf({ failed }));
    }
    const checkout = join(folder, checkoutFolder);
    if (!(await lstat(checkout)).isDirectory()) {
        throw new Error("The agent replaced the folder of its checkout, so nothing was committed.");
    }
    await removeLeftovers(join(checkout, ".git"));
    await makeWritable(checkout);
    await sendFiles(checkout, body, await findIgnored(folder));
}

/** Finds the files and folders of an agent's checkout that no commit would contain. */
async function findIgnored(folder: string): Promise<ReadonlySet<string>> {
    const git = new Git({ mark: ProcessMark.ofGit(folder), protocol: "none", env: process.env });
    const cwd = join(folder, checkoutFolder);
    const gitDir = await mkdtemp(join(folder, "git-"));
    const call = { cwd, env: { GIT_DIR: gitDir, GIT_WORK_TREE: cwd, GIT_INDEX_FILE: join(folder, indexFile) } };
    await git.run(["init", "--quiet", "--template="], call);
    const list = ["ls-files", "--others", "--ignored", "--exclude-per-directory=.gitignore", "--directory", "-z"];
    const names = (await git.run(list, call)).split("\0");
    return new Set(names.map((name) => name.replace(/\/$/, "")));
}

async function sendSite(
    { baseFolder, outputFolder, diskMegabytes, cacheMegabytes }: PodOutput,
    folder: string,
    body: PassThrough,
): Promise<void> {
    const root = await realpath(join(folder, "site"));
    const places = { ...podPlaces(folder, baseFolder), root };
    const onLine = (line: string) => void body.write(frameOf({ line }));
    const base = await realpath(places.base);
    const output = await findOutput({ root, base }, outputFolder, diskMegabytes * 2 ** 20, onLine);
    await sendFiles(output, body);
    if (cacheMegabytes !== undefined) {
        const caches = new BuildCaches(join(folder, "caches"));
        if (await caches.keep(site, { ...places, base }, { output, cacheMegabytes, onLine })) {
            await sendCache(join(folder, "caches", site), body);
        }
    }
}

/** Tries again for a while, because the network of a new pod may not be ready. */
async function connect(
    { url, token }: PodStepSettings,
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

async function post({ url, token }: PodStepSettings, body: PassThrough): Promise<void> {
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
        const second = pack();
        const sent = exitCodeOf(second);
        await writeFrom(second.stdout, body);
        await sent;
    }
}

async function sendFiles(output: string, body: PassThrough, left: ReadonlySet<string> = new Set()): Promise<void> {
    const folders = [output];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
        for (const name of (await readdir(folder)).sort()) {
            const path = join(folder, name);
            if (left.has(relative(output, path))) {
                continue;
            }
            const found = await lstat(path).catch(misnamed(relative(output, path)));
            if (found.isDirectory()) {
                folders.push(path);
            } else if (found.isSymbolicLink()) {
                await write(body, frameOf({ link: relative(output, path), target: await readlink(path) }));
            } else if (found.isFile()) {
                // A file that cannot be opened must not leave its frame without content.
                const opened = await open(path);
                try {
                    const { size, mode } = found;
                    const isExecutable = (mode & 0o100) !== 0;
                    await write(body, frameOf({ file: relative(output, path), size, isExecutable }));
                    if (size > 0) {
                        await writeFrom(opened.createReadStream({ end: size - 1, autoClose: false }), body);
                    }
                } finally {
                    await opened.close();
                }
            }
        }
    }
}

function frameOf(frame: Frame): string {
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
