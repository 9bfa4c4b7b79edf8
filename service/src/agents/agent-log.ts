import { createWriteStream, type WriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { StringDecoder } from "node:string_decoder";
import { stripVTControlCharacters } from "node:util";

/** Shorter values are common words. */
const minSecretCharacters = 6;

/**
 * The log of a job: the output of the agent, up to a number of bytes for each run, and the results of its runs. Secret
 * values are replaced by `***`, even if a chunk of output ends within one.
 */
export class RunLog {
    readonly #file: WriteStream;
    readonly #secrets: readonly string[];
    readonly #carriedLength: number;
    readonly #decoder = new StringDecoder("utf8");
    #bytesLeft: number;
    #carried = "";
    #isFull = false;

    constructor(path: string, options: { maxBytes: number; secrets: readonly string[] }) {
        this.#file = createWriteStream(path, { flags: "a", mode: 0o600 });
        this.#file.on("error", () => undefined);
        this.#bytesLeft = options.maxBytes;
        this.#secrets = options.secrets.filter(({ length }) => length >= minSecretCharacters);
        this.#carriedLength = Math.max(0, ...this.#secrets.map(({ length }) => length - 1));
    }

    /** Adds output of the agent; output beyond the limit is dropped. */
    readonly addOutput = (chunk: Buffer): void => {
        if (this.#isFull) {
            return;
        }
        const text = this.#withoutSecrets(this.#carried + this.#decoder.write(chunk));
        const cut = Math.max(0, text.length - this.#carriedLength);
        this.#carried = text.slice(cut);
        this.#write(text.slice(0, cut));
    };

    /** Adds a line about the run, regardless of the limit. */
    note(line: string): void {
        this.#write(this.#carried);
        this.#carried = "";
        // A line may quote the output of a repository's hooks, or a forge's answers.
        const safe = stripVTControlCharacters(this.#withoutSecrets(line)).replace(/[^\P{C}\n]/gu, "?");
        this.#file.write(`[${new Date().toISOString()}] ${safe}\n`);
    }

    /**
     * Resolves when the operating system has accepted or refused everything: from then on, killing this process loses
     * nothing.
     */
    flush(): Promise<void> {
        return new Promise((resolve) => this.#file.write("", () => resolve()));
    }

    async close(): Promise<void> {
        this.#file.end();
        await finished(this.#file).catch(() => undefined);
    }

    #write(text: string): void {
        const content = Buffer.from(text).subarray(0, this.#bytesLeft);
        this.#file.write(content);
        this.#bytesLeft -= content.length;
        if (this.#bytesLeft === 0 && !this.#isFull) {
            this.#isFull = true;
            this.#file.write("\n[the rest of the output is left out]\n");
        }
    }

    #withoutSecrets(text: string): string {
        return this.#secrets.reduce((clean, secret) => clean.replaceAll(secret, "***"), text);
    }
}
