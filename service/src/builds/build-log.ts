import { SecretFilter, Secrets } from "../output/secret-filter.js";

const maxLines = 1000;
const maxLineCharacters = 1000;
/** A builder without line breaks reaches this limit. */
const maxBytes = 8 * 2 ** 20;
const maxTailBytes = 64 * 1024;
const lastLines = 12;
const lineFeed = 0x0a;
/** npm explains its options after the reason of an error, in more lines than are repeated. */
const npmUsage = { begin: /^npm (?:error|ERR!) Usage:$/, line: /^npm (?:error|ERR!)/, end: / Run "npm help / };
/** Says nothing about the error. */
const npmFiller = /^npm (?:error|ERR!)(?:$| A complete log of this run can be found in)/;
/** The bytes of a character of JavaScript. */
const maxCharacterBytes = 3;

/**
 * Passes on the lines of a builder's output, without secret values. Reads a limited part of the output, in which blank
 * lines count, and its end.
 */
export class BuildLog {
    readonly #streams: readonly [BuildStream, BuildStream];
    readonly #last: string[] = [];
    #count = 0;
    #bytes = 0;
    #isUsage = false;

    /** @param addLine called with each of the first lines */
    constructor(
        secrets: readonly string[],
        private readonly addLine: (line: string) => void,
    ) {
        const values = new Secrets(secrets);
        const stream = () => new BuildStream(values, (line) => this.#add(line));
        this.#streams = [stream(), stream()];
    }

    /** @param isError whether the chunk is of the second of two streams */
    readonly addOutput = (chunk: Buffer, isError = false): void => {
        const stream = this.#streams[isError ? 1 : 0];
        if (this.#count > maxLines) {
            stream.keepTail(chunk);
            return;
        }
        this.#bytes += chunk.length;
        stream.read(chunk);
        if (this.#bytes > maxBytes && this.#count <= maxLines) {
            this.#count = maxLines;
            this.#countLine();
        }
    };

    /** The last lines of the output, as one line. */
    end(): string {
        this.#streams.forEach((stream) => stream.end());
        return this.#last.join(" ⏎ ");
    }

    #add(line: string): void {
        this.#countLine();
        // Spaces before and within the text show where an error is.
        const text = line.replace(/[^\P{C}\t]/gu, "").trimEnd();
        if (text === "") {
            return;
        }
        if (this.#saysWhy(text)) {
            this.#last.push(text);
        }
        if (this.#last.length > lastLines) {
            this.#last.shift();
        }
        if (this.#count <= maxLines) {
            this.addLine(text);
        }
    }

    /** Whether a line may say why the build failed. */
    #saysWhy(text: string): boolean {
        if (this.#isUsage || npmUsage.begin.test(text)) {
            const isLast = npmUsage.end.test(text);
            this.#isUsage = npmUsage.line.test(text) && !isLast;
            return !this.#isUsage && !isLast;
        }
        return !npmFiller.test(text);
    }

    #countLine(): void {
        this.#count += 1;
        if (this.#count === maxLines + 1) {
            this.addLine("The rest of the builder's log is left out.");
        }
    }
}

/** One of the streams of a builder. */
class BuildStream {
    readonly #secrets: Secrets;
    readonly #addLine: (line: string) => void;
    readonly #filter: SecretFilter;
    #line = "";
    /** Whether the line begins again if text follows. */
    #isReturned = false;
    /** The end of the output after the limit, as it is, because most of it is thrown away. */
    #tail: Buffer[] = [];
    #tailBytes = 0;
    #isTailCut = false;

    constructor(secrets: Secrets, addLine: (line: string) => void) {
        this.#secrets = secrets;
        this.#addLine = addLine;
        this.#filter = new SecretFilter(secrets, (text) => this.#addText(text));
    }

    read(chunk: Buffer): void {
        this.#filter.addOutput(chunk);
    }

    keepTail(chunk: Buffer): void {
        this.#tail.push(chunk);
        this.#tailBytes += chunk.length;
        while (this.#tailBytes - (this.#tail[0]?.length ?? 0) >= maxTailBytes) {
            this.#tailBytes -= this.#tail.shift()?.length ?? 0;
            this.#isTailCut = true;
        }
    }

    end(): void {
        let tail = Buffer.concat(this.#tail);
        if (this.#isTailCut) {
            this.#endOutput();
            // A secret may have begun before the tail.
            const begin = tail.indexOf(lineFeed, maxCharacterBytes * this.#secrets.finder.longest);
            tail = begin === -1 ? Buffer.alloc(0) : tail.subarray(begin + 1);
        }
        this.#filter.addOutput(tail);
        this.#endOutput();
        this.#tail = [];
        this.#tailBytes = 0;
        this.#isTailCut = false;
    }

    #addText(text: string): void {
        for (const [part] of text.matchAll(/[\r\n]|[^\r\n]+/g)) {
            if (part === "\n") {
                this.#endLine();
            } else if (part === "\r") {
                this.#isReturned = true;
            } else {
                this.#line = ((this.#isReturned ? "" : this.#line) + part).slice(0, maxLineCharacters);
                this.#isReturned = false;
            }
        }
    }

    #endLine(): void {
        this.#addLine(this.#line);
        this.#line = "";
        this.#isReturned = false;
    }

    #endOutput(): void {
        this.#filter.end();
        if (this.#line !== "") {
            this.#endLine();
        }
    }
}
