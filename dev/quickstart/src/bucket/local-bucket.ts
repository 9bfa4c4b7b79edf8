import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { ensureTool, type EnsureOptions, freePort } from "@pulumi-static-export/toolchain";
import type { EdgeBucket } from "./local-edge.js";

/** An S3 server on this machine with one bucket, stored in a folder. */
export class LocalBucket {
    readonly place: EdgeBucket;
    readonly #child: ChildProcess;
    readonly #exited: Promise<unknown>;

    private constructor(place: EdgeBucket, child: ChildProcess) {
        this.place = place;
        this.#child = child;
        this.#exited = once(child, "close");
    }

    /** @param folder - the folder for the objects */
    static async start(folder: string, options: EnsureOptions): Promise<LocalBucket> {
        const program = await ensureTool("versitygw", options);
        const bucket = "docs";
        // The server serves each folder as a bucket.
        await mkdir(path.join(folder, "buckets", bucket), { recursive: true, mode: 0o700 });
        await mkdir(path.join(folder, "users"), { recursive: true, mode: 0o700 });
        const address = `127.0.0.1:${await freePort()}`;
        const place = {
            endpoint: `http://${address}`,
            bucket,
            accessKeyId: "quickstart",
            secretAccessKey: randomBytes(24).toString("hex"),
        };
        const users = ["--iam-dir", path.join(folder, "users")];
        const serving = ["--port", address, "--keep-alive", "--quiet", ...users, "posix", path.join(folder, "buckets")];
        const child = spawn(program, serving, {
            stdio: "ignore",
            env: { ROOT_ACCESS_KEY: place.accessKeyId, ROOT_SECRET_KEY: place.secretAccessKey },
        });
        const server = new LocalBucket(place, child);
        try {
            await server.#untilReady(options.signal);
        } catch (error) {
            await server.stop();
            throw error;
        }
        return server;
    }

    async stop(): Promise<void> {
        this.#child.kill("SIGTERM");
        await this.#exited;
    }

    /** Polls the server a limited number of times, because it prints nothing when it starts to listen. */
    async #untilReady(signal?: AbortSignal): Promise<void> {
        for (let attempt = 0; attempt < 500 && this.#child.exitCode === null; attempt++) {
            signal?.throwIfAborted();
            // Any response shows that the server listens, because it rejects requests without a signature.
            if (
                await fetch(this.place.endpoint).then(
                    () => true,
                    () => false,
                )
            ) {
                return;
            }
            await new Promise((resolve) => setTimeout(resolve, 20));
        }
        throw new Error("The S3 server (versitygw) does not start.");
    }
}
