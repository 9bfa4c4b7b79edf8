import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { dirname, join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { folderInside } from "@pulumi-static-export/exporter";
import { removeLeftovers } from "../processes/remove-leftovers.js";
import { type ServiceLogger } from "../shared/logger.js";
import { BuildFolders } from "./build-folders.js";
import { FrameReader, LostBuildError } from "./build-frames.js";
import { type Builder, type BuildRequest } from "./builder.js";
import { maxFiles } from "./check-output.js";

interface RemoteBuilderOptions {
    /** Contains the checkouts, and the finished sites. */
    dataDir: string;
    /** The address of the build workers. */
    url: string;
    key: string;
    /** Milliseconds between two attempts. @default 2000 */
    betweenMs?: number;
    logger: ServiceLogger;
}

/** No worker has begun the build. */
class NoWorkerError extends Error {
    override readonly name = "NoWorkerError";
}

/** Builds that were lost together with their worker start again this many times. */
const maxLost = 2;

/**
 * Sends checkouts to build workers (`static-export work --builds`), and receives the finished sites. Build workers get
 * neither the credentials of the database nor those of the storage.
 */
export class RemoteBuilder implements Builder {
    readonly #options: RemoteBuilderOptions;
    readonly #folders: BuildFolders;

    constructor(options: RemoteBuilderOptions) {
        this.#options = options;
        this.#folders = new BuildFolders(options.dataDir, options.logger);
    }

    withFolder<T>(jobId: string, use: (folder: string) => Promise<T>): Promise<T> {
        return this.#folders.withFolder(jobId, use);
    }

    async run(request: BuildRequest): Promise<string> {
        const { signal, build, onLine } = request;
        const { url, betweenMs = 2000 } = this.#options;
        const deadlineMs = performance.now() + build.limits.timeoutSeconds * 1000;
        let [lost, reason] = [0, ""];
        while (performance.now() < deadlineMs) {
            try {
                return await this.#build(request);
            } catch (error) {
                signal.throwIfAborted();
                if (error instanceof LostBuildError && lost < maxLost) {
                    lost += 1;
                    onLine(`${error.message}: the build starts again.`);
                } else if (!(error instanceof NoWorkerError)) {
                    throw error;
                }
                reason = error.message;
            }
            await sleep(betweenMs, undefined, { signal });
        }
        throw new Error(`No build worker at ${url} was free for ${build.limits.timeoutSeconds} s: ${reason}.`);
    }

    /** @returns the folder with the finished site @throws NoWorkerError, LostBuildError */
    async #build(request: BuildRequest): Promise<string> {
        const { folder, build, signal, onLine } = request;
        const answer = await this.#send(request);
        if (answer.statusCode === 503) {
            answer.destroy();
            throw new NoWorkerError("all are busy");
        }
        if (answer.statusCode !== 200) {
            answer.destroy();
            throw new Error(
                `The build worker answered ${answer.statusCode}: check that it has the same key as this process.`,
            );
        }
        const output = join(folder, "output");
        await removeLeftovers(output);
        await mkdir(output);
        const frames = new FrameReader(answer);
        let [files, bytes] = [0, 0];
        for (;;) {
            const frame = await frames.next();
            signal.throwIfAborted();
            if ("line" in frame) {
                onLine(frame.line);
            } else if ("error" in frame) {
                throw new Error(frame.error);
            } else if ("end" in frame) {
                return output;
            } else {
                files += 1;
                bytes += frame.size;
                if (files > maxFiles || bytes > build.limits.diskMegabytes * 2 ** 20) {
                    answer.destroy();
                    throw new Error("The build worker sent more than the build may write.");
                }
                const path = join(output, folderInside(frame.file));
                await mkdir(dirname(path), { recursive: true });
                await pipeline(frames.content(frame.size), createWriteStream(path, { flags: "wx" }));
            }
        }
    }

    async #send({
        jobId,
        folder,
        checkout,
        sourceDir,
        build,
        cacheName,
        signal,
    }: BuildRequest): Promise<IncomingMessage> {
        const { url, key } = this.#options;
        const settings = { jobId, sourceFolder: relative(checkout, sourceDir), build, cacheName };
        const send = url.startsWith("https:") ? httpsRequest : httpRequest;
        const sent = send(new URL("/builds", url), {
            method: "POST",
            headers: {
                authorization: `Bearer ${key}`,
                "x-build": Buffer.from(JSON.stringify(settings)).toString("base64"),
            },
            agent: false,
            signal,
        });
        const packed = spawn("tar", ["-C", folder, "-cf", "-", relative(folder, checkout), "repository"], {
            stdio: ["ignore", "pipe", "ignore"],
        });
        // A worker that is busy answers before it has read everything.
        packed.once("error", (error) => sent.destroy(error));
        void pipeline(packed.stdout, sent).catch(() => undefined);
        try {
            const [answer] = (await once(sent, "response")) as [IncomingMessage];
            sent.on("error", () => undefined);
            return answer;
        } catch (error) {
            signal.throwIfAborted();
            throw new NoWorkerError((error as Error).message);
        } finally {
            packed.kill();
        }
    }
}
