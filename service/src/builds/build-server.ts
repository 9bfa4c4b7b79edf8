import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";
import { join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { folderInside, isWithin } from "@pulumi-static-export/exporter";
import { areEqualSecrets } from "../shared/equal-secrets.js";
import { type BuildFrame } from "./build-frames.js";
import { type Builder } from "./builder.js";
import { type SiteBuild } from "./site-build.js";

interface BuildServerOptions {
    builder: Builder;
    key: string;
    /** How many builds run at the same time. */
    concurrency: number;
    /** Called after each build. */
    onEnd?: () => Promise<void>;
}

interface Settings {
    readonly jobId: string;
    readonly sourceFolder: string;
    readonly build: SiteBuild;
    readonly cacheName?: string;
}

/** Names of folders that requests decide. */
const safeName = /^[A-Za-z0-9][\w.-]{0,253}$/;

/**
 * Runs builds for other processes: a request contains a checkout, and the answer the builder's log and the files of the
 * finished site. A build ends when its connection ends.
 */
export class BuildServer {
    readonly #options: BuildServerOptions;
    readonly #server: Server;
    readonly #builds = new Set<Promise<void>>();

    constructor(options: BuildServerOptions) {
        this.#options = options;
        this.#server = createServer((request, response) => this.#answer(request, response));
        // A checkout may be large.
        this.#server.requestTimeout = 0;
    }

    /** @returns the port */
    async listen({ host, port }: { readonly host: string; readonly port: number }): Promise<number> {
        this.#server.listen(port, host);
        await once(this.#server, "listening");
        return (this.#server.address() as AddressInfo).port;
    }

    async close(): Promise<void> {
        this.#server.close();
        this.#server.closeAllConnections();
        await Promise.all(this.#builds);
    }

    #answer(request: IncomingMessage, response: ServerResponse): void {
        // A client that is still sending would not see the status.
        const refuse = (status: number) => {
            request.resume();
            request.once("end", () => response.writeHead(status, { connection: "close" }).end());
        };
        if (request.method !== "POST" || request.url !== "/builds") {
            refuse(404);
        } else if (!areEqualSecrets(request.headers.authorization ?? "", `Bearer ${this.#options.key}`)) {
            refuse(401);
        } else if (this.#builds.size >= this.#options.concurrency) {
            refuse(503);
        } else {
            const build = this.#build(request, response).catch(() => void response.destroy());
            this.#builds.add(build);
            void build.finally(() => this.#builds.delete(build));
        }
    }

    async #build(request: IncomingMessage, response: ServerResponse): Promise<void> {
        const { builder, onEnd } = this.#options;
        const ended = new AbortController();
        response.once("close", () => ended.abort(new Error("The connection was lost.")));
        const send = (frame: BuildFrame) => response.write(`${JSON.stringify(frame)}\n`);
        const { jobId, sourceFolder, build, cacheName } = readSettings(request);
        try {
            await builder.withFolder(jobId, async (folder) => {
                await unpack(request, folder);
                response.writeHead(200, { "content-type": "application/octet-stream" });
                const checkout = join(folder, "site");
                const output = await builder.run({
                    jobId,
                    folder,
                    checkout,
                    sourceDir: join(checkout, folderInside(sourceFolder)),
                    build,
                    cacheName,
                    signal: ended.signal,
                    onLine: (line) => void send({ line }),
                });
                await sendFiles(output, response, ended.signal);
            });
            send({ end: true });
        } catch (error) {
            ended.signal.throwIfAborted();
            send({ error: (error as Error).message });
        } finally {
            await onEnd?.();
        }
        response.end();
    }
}

function readSettings(request: IncomingMessage): Settings {
    const settings = JSON.parse(Buffer.from(String(request.headers["x-build"]), "base64").toString()) as Settings;
    if (!safeName.test(settings.jobId) || !safeName.test(settings.cacheName ?? "none")) {
        throw new Error("The build has an unusual name.");
    }
    return settings;
}

async function unpack(request: IncomingMessage, folder: string): Promise<void> {
    const child = spawn("tar", ["-C", folder, "-xf", "-", "--no-same-owner"], { stdio: ["pipe", "ignore", "ignore"] });
    const exited = once(child, "exit") as Promise<[number | null]>;
    await pipeline(request, child.stdin);
    const [exitCode] = await exited;
    if (exitCode !== 0) {
        throw new Error("The checkout cannot be unpacked.");
    }
}

/** Sends files, and the files of the output to which links lead. */
async function sendFiles(output: string, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const folders = [output];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
        for (const name of (await readdir(folder)).sort()) {
            const path = join(folder, name);
            const found = await lstat(path);
            if (found.isDirectory()) {
                folders.push(path);
                continue;
            }
            const place = await realpath(path).catch(() => undefined);
            if (place === undefined || !isWithin(output, place)) {
                continue;
            }
            const { size, isFile } = await stat(place).then((stats) => ({ size: stats.size, isFile: stats.isFile() }));
            if (isFile) {
                signal.throwIfAborted();
                response.write(`${JSON.stringify({ file: relative(output, path), size } satisfies BuildFrame)}\n`);
                if (size > 0) {
                    await pipeline(createReadStream(place, { end: size - 1 }), response, { end: false, signal });
                }
            }
        }
    }
}
