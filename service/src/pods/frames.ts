import { isRecord } from "@pulumi-static-export/contract";
import { type CommandEnd, parseCommandEnd } from "./command-end.js";
import { type PodKind } from "./pod-work.js";

/** A line of JSON from a pod; the content of a file, or of the packed cache, follows its line. */
export type Frame =
    | { readonly line: string }
    | { readonly file: string; readonly size: number; readonly isExecutable?: boolean }
    | { readonly link: string; readonly target: string }
    | { readonly cache: number }
    /** The command has failed; its files follow. */
    | { readonly failed: CommandEnd }
    | { readonly error: string }
    | { readonly end: true };

/** A pod, or the connection to it, has ended too early. */
export class LostPodError extends Error {
    override readonly name = "LostPodError";
}

const maxLineBytes = 64 * 1024;

/** Reads frames and contents of files from a connection. */
export class FrameReader {
    readonly #chunks: AsyncIterator<Buffer>;
    #rest: Buffer = Buffer.alloc(0);

    /** @param kind what runs in the pod, for errors */
    constructor(
        chunks: AsyncIterable<Buffer>,
        private readonly kind: PodKind,
    ) {
        this.#chunks = chunks[Symbol.asyncIterator]();
    }

    /** @throws LostPodError */
    async next(): Promise<Frame> {
        let end = this.#rest.indexOf(10);
        while (end === -1) {
            if (this.#rest.length > maxLineBytes) {
                throw new Error(`The ${this.kind}'s pod sent a line that is too long.`);
            }
            this.#rest = Buffer.concat([this.#rest, await this.#chunk()]);
            end = this.#rest.indexOf(10);
        }
        const text = this.#rest.toString("utf8", 0, end);
        this.#rest = this.#rest.subarray(end + 1);
        const frame: unknown = JSON.parse(text);
        if (!isRecord(frame)) {
            throw new Error(`The ${this.kind}'s pod sent a line that is not an object.`);
        }
        const { line, file, size, isExecutable, link, target, cache, failed, error, end: isEnd } = frame;
        if (typeof line === "string") {
            return { line };
        }
        if (typeof file === "string" && isSize(size)) {
            return { file, size, isExecutable: isExecutable === true };
        }
        if (typeof link === "string" && typeof target === "string") {
            return { link, target };
        }
        if (isSize(cache)) {
            return { cache };
        }
        const commandEnd = parseCommandEnd(String(failed));
        if (commandEnd !== undefined) {
            return { failed: commandEnd };
        }
        if (typeof error === "string") {
            return { error };
        }
        if (isEnd === true) {
            return { end: true };
        }
        throw new Error(`The ${this.kind}'s pod sent an unknown line.`);
    }

    /** The content of a file. Read all of it before the next frame. @throws LostPodError */
    async *content(size: number): AsyncGenerator<Buffer> {
        for (let left = size; left > 0;) {
            const chunk = this.#rest.length > 0 ? this.#rest : await this.#chunk();
            const part = chunk.subarray(0, left);
            this.#rest = chunk.subarray(part.length);
            left -= part.length;
            yield part;
        }
    }

    async #chunk(): Promise<Buffer> {
        try {
            const next = await this.#chunks.next();
            if (next.done !== true) {
                return next.value;
            }
        } catch {
            // The connection has ended.
        }
        throw new LostPodError(`The connection to the ${this.kind}'s pod was lost`);
    }
}

function isSize(value: unknown): value is number {
    return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
