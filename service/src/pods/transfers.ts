import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";
import { devNull } from "node:os";
import { dirname, join, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { folderInside } from "@pulumi-static-export/exporter";
import { areEqualSecrets } from "../shared/equal-secrets.js";
import { cacheTooLarge } from "../builds/build-caches.js";
import { exitCodeOf } from "../processes/run-process.js";
import { type CommandEnd, FailedCommandError } from "./command-end.js";
import { FrameReader, LostPodError } from "./frames.js";
import { maxFiles } from "../builds/collect-output.js";
import { type PodWork } from "./pod-work.js";

/** Work whose pod may fetch files, and send others, once each. */
type ExpectedWork = Pick<PodWork, "kind" | "folder" | "sent" | "received" | "limits" | "output" | "onLine">;

interface Transfer {
    readonly work: ExpectedWork;
    readonly token: string;
    /** Each request is answered once, except a GET whose answer did not reach its end. */
    readonly answered: Set<string>;
    /** The answers that have begun, with their ends. */
    readonly running: Map<ServerResponse, Promise<void>>;
    readonly end: (error?: Error) => void;
}

interface ExpectedTransfer {
    /** The path of the requests, and the token for this work only. */
    readonly path: string;
    readonly token: string;
    /** Resolves when the whole output was received. */
    readonly received: Promise<void>;
    /** Refuses further requests, and ends those that are running: no file is read or written afterwards. */
    readonly close: () => Promise<void>;
}

/** The server from which pods fetch their checkouts, and to which they send their output. */
export class Transfers {
    readonly #transfers = new Map<string, Transfer>();
    readonly #server: Server;

    constructor() {
        this.#server = createServer((request, response) => {
            void this.#answer(request, response).catch(() => void response.destroy());
        });
        // A checkout may be large.
        this.#server.requestTimeout = 0;
    }

    /** @returns the port */
    async listen({ host, port }: { readonly host: string; readonly port: number }): Promise<number> {
        this.#server.listen(port, host);
        await once(this.#server, "listening");
        return (this.#server.address() as AddressInfo).port;
    }

    close(): void {
        this.#server.close();
        this.#server.closeAllConnections();
    }

    expect(work: ExpectedWork): ExpectedTransfer {
        const path = `/${work.kind}s/${randomBytes(12).toString("hex")}`;
        const token = randomBytes(32).toString("hex");
        const { promise, resolve, reject } = Promise.withResolvers<undefined>();
        // The work may fail before anybody waits for its output.
        promise.catch(() => undefined);
        const end = (error?: Error) => (error === undefined ? resolve(undefined) : reject(error));
        const running: Transfer["running"] = new Map();
        this.#transfers.set(path, { work, token, answered: new Set(), running, end });
        const close = async (): Promise<void> => {
            this.#transfers.delete(path);
            for (const response of running.keys()) {
                // The last bytes of an answer that has ended may not have been sent.
                void (response.writableEnded || response.destroy());
            }
            await Promise.allSettled(running.values());
        };
        return { path, token, received: promise, close };
    }

    async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
        const { method = "", url = "", headers } = request;
        const transfer = this.#transfers.get(url);
        // Unknown paths and wrong tokens get the same answer.
        if (transfer === undefined || !areEqualSecrets(headers.authorization ?? "", `Bearer ${transfer.token}`)) {
            response.writeHead(401, { connection: "close" }).end();
        } else if (!["GET", "POST"].includes(method) || transfer.answered.has(method)) {
            response.writeHead(409, { connection: "close" }).end();
        } else {
            transfer.answered.add(method);
            const ended = method === "GET" ? send(transfer, response) : this.#receive(transfer, request, response);
            transfer.running.set(response, ended);
            await ended.finally(() => transfer.running.delete(response));
        }
    }

    async #receive({ work, end }: Transfer, request: IncomingMessage, response: ServerResponse): Promise<void> {
        try {
            await receive(work, request);
            end();
            response.writeHead(200).end();
        } catch (error) {
            end(error as Error);
            if (error instanceof FailedCommandError && error.isComplete) {
                response.writeHead(200).end();
                return;
            }
            response.writeHead(400, { connection: "close" }).end();
            request.destroy();
        }
    }
}

async function send({ work: { folder, sent }, answered }: Transfer, response: ServerResponse): Promise<void> {
    // In the order in which git writes a checkout: some builders sort pages by the time of their creation.
    const args = ["-C", folder, "--sort=name", "-cf", "-", ...sent];
    const packed = spawn("tar", args, { stdio: ["ignore", "pipe", "ignore"] });
    const exited = exitCodeOf(packed);
    response.writeHead(200, { "content-type": "application/x-tar" });
    try {
        await pipeline(packed.stdout, response, { end: false });
        if ((await exited) !== 0) {
            throw new Error("The checkout cannot be packed.");
        }
        response.end();
    } catch (error) {
        answered.delete("GET");
        throw error;
    }
}

/** @throws FailedCommandError if the command has failed, also if its files cannot be received */
async function receive(work: ExpectedWork, request: IncomingMessage): Promise<void> {
    let failed: CommandEnd | undefined;
    try {
        await receiveFiles(work, request, (end) => (failed = end));
    } catch (error) {
        if (failed === undefined || error instanceof LostPodError) {
            throw error;
        }
        work.onLine(`The changes of the ${work.kind} could not be kept: ${(error as Error).message}`);
        throw new FailedCommandError(failed, false);
    }
    if (failed !== undefined) {
        throw new FailedCommandError(failed, true);
    }
}

/** @param onFailed called if the command has failed */
async function receiveFiles(
    work: ExpectedWork,
    request: IncomingMessage,
    onFailed: (end: CommandEnd) => void,
): Promise<void> {
    const { kind, received, limits, output, onLine } = work;
    await mkdir(received.output);
    const frames = new FrameReader(request, kind);
    const folders = new Set([received.output]);
    let [files, bytes] = [0, 0];
    /** @returns the path of a file or a link, in a folder that leads through no received link */
    const take = async (name: string, size: number): Promise<string> => {
        files += 1;
        bytes += size;
        if (files > maxFiles || bytes > limits.diskMegabytes * 2 ** 20) {
            throw new Error(`The ${kind}'s pod sent more data than the ${kind} may write.`);
        }
        const path = folderInside(name);
        let folder = received.output;
        for (const part of dirname(path).split(sep)) {
            folder = join(folder, part);
            if (!folders.has(folder)) {
                await mkdir(folder);
                folders.add(folder);
            }
        }
        return join(received.output, path);
    };
    for (;;) {
        const frame = await frames.next();
        if ("line" in frame) {
            onLine(frame.line);
        } else if ("error" in frame) {
            throw new Error(frame.error);
        } else if ("end" in frame) {
            return;
        } else if ("failed" in frame) {
            onFailed(frame.failed);
        } else if ("cache" in frame) {
            const { cacheMegabytes = 0 } = limits;
            // An archive may be larger than its files take on a disk.
            const isKept = frame.cache <= 2 * cacheMegabytes * 2 ** 20;
            if (!isKept) {
                onLine(cacheTooLarge(cacheMegabytes));
            }
            const file = isKept ? createWriteStream(received.cache, { flags: "wx" }) : createWriteStream(devNull);
            await pipeline(frames.content(frame.cache), file);
        } else if ("link" in frame) {
            if (output !== undefined) {
                // An export would follow it.
                throw new Error(`The ${kind}'s pod sent a link.`);
            }
            await symlink(frame.target, await take(frame.link, 0));
        } else {
            const path = await take(frame.file, frame.size);
            const mode = frame.isExecutable === true ? 0o777 : 0o666;
            await pipeline(frames.content(frame.size), createWriteStream(path, { flags: "wx", mode }));
        }
    }
}
