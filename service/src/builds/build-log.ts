import { StringDecoder } from "node:string_decoder";
import { stripVTControlCharacters } from "node:util";

/** Shorter values are common words. */
const minSecretCharacters = 6;
const maxLines = 1000;
const maxLineCharacters = 1000;
/** Longer lines are cut, so that a builder without line breaks needs no memory. The end of a long log is as long. */
const maxPendingCharacters = 64 * 1024;
const lastLines = 12;

/** Passes on the lines of a builder's output, up to a number of lines, with secret values replaced by `***`. */
export class BuildLog {
    readonly #decoder = new StringDecoder("utf8");
    readonly #secrets: readonly string[];
    readonly #last: string[] = [];
    #pending = "";
    #isCut = false;
    #count = 0;
    /** The end of the output after the lines that are passed on, as it is, because the rest is only thrown away. */
    #tail = "";

    /** @param addLine called with each of the first lines */
    constructor(
        secrets: readonly string[],
        private readonly addLine: (line: string) => void,
    ) {
        this.#secrets = secrets.flatMap((secret) => [secret, ...secret.split(/\r?\n/)]).filter(isSecret);
    }

    readonly addOutput = (chunk: Buffer): void => {
        const text = this.#decoder.write(chunk);
        if (this.#count > maxLines) {
            this.#tail = (this.#tail + text).slice(-maxPendingCharacters);
            return;
        }
        const lines = (this.#pending + text).split("\n");
        this.#pending = lines.pop() ?? "";
        for (const [at, line] of lines.entries()) {
            this.#add(line);
            if (this.#count > maxLines) {
                this.#tail = [...lines.slice(at + 1), this.#pending].join("\n").slice(-maxPendingCharacters);
                this.#pending = "";
                return;
            }
        }
        if (this.#pending.length > maxPendingCharacters) {
            this.#add(this.#pending);
            this.#isCut = true;
            this.#pending = "";
        }
    };

    /** The last lines of the output, as one line. */
    end(): string {
        const isCut = this.#tail.length === maxPendingCharacters;
        const lines = this.#tail.split("\n").slice(isCut ? 1 : 0);
        [...lines, this.#pending].forEach((line) => this.#add(line));
        this.#pending = "";
        this.#tail = "";
        return this.#last.join(" ⏎ ");
    }

    #add(line: string): void {
        if (this.#isCut) {
            // This is the end of a line that is too long, unless the line continues.
            this.#isCut = false;
            return;
        }
        // Builders draw progress over the same line.
        const drawn = line.replace(/\r+$/, "").split("\r").at(-1) ?? "";
        const plain = stripVTControlCharacters(drawn).replace(/[^\P{C}\t]/gu, "");
        const text = this.#withoutSecrets(plain).trimEnd();
        if (text === "") {
            return;
        }
        const shown = text.slice(0, maxLineCharacters);
        this.#last.push(shown);
        if (this.#last.length > lastLines) {
            this.#last.shift();
        }
        this.#count += 1;
        if (this.#count <= maxLines) {
            this.addLine(shown);
        } else if (this.#count === maxLines + 1) {
            this.addLine("The rest of the builder's log is left out.");
        }
    }

    #withoutSecrets(text: string): string {
        return this.#secrets.reduce((clean, secret) => clean.replaceAll(secret, "***"), text);
    }
}

function isSecret(value: string): boolean {
    return value.length >= minSecretCharacters;
}
