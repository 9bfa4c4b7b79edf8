import { aboutEnd, endFollows } from "../output/long-output.js";
import { OverwrittenText } from "../output/overwritten-text.js";
import { SecretFilter, Secrets } from "../output/secret-filter.js";

/** The lines of a long output at its begin and at its end. */
const [maxLines, maxEndLines] = [1000, 200];
const maxLineCharacters = 1000;
/** A builder without line breaks reaches this limit. */
const maxBytes = 8 * 2 ** 20;
const maxTailBytes = 64 * 1024;
const lastLines = 12;
const [lineFeed, carriageReturn] = [0x0a, 0x0d];
/** npm explains its options after the reason of an error, in more lines than are repeated. */
const npmUsage = { begin: /^npm (?:error|ERR!) Usage:$/, line: /^npm (?:error|ERR!)/, end: / Run "npm help / };
/** Says nothing about the error. */
const npmFiller = /^npm (?:error|ERR!)(?:$| A complete log of this run can be found in)/;
/** The bytes of a character of JavaScript. */
const maxCharacterBytes = 3;

/**
 * Passes on the lines of a builder's output, without secret values: a limited part of the output, in which blank lines
 * count and overwritten text does not, and its end, because builders write there why they failed.
 */
export class BuildLog {
    readonly #streams: readonly [BuildStream, BuildStream];
    readonly #last: string[] = [];
    /** The last lines after the limit. */
    #end: string[] = [];
    /** The size of the output between the limit and these lines. */
    #leftOutBytes = 0;
    #count = 0;
    #bytes = 0;
    #chunks = 0;
    #isUsage = false;

    /** @param addLine called with each line of the log; with those at the end when the output has ended */
    constructor(
        secrets: readonly string[],
        private readonly addLine: (line: string) => void,
    ) {
        const values = new Secrets(secrets);
        const stream = (): BuildStream =>
            new BuildStream(values, {
                addLine: (line) => this.#add(line),
                addChunk: (chunk, of) => this.#addChunk(chunk, of),
            });
        this.#streams = [stream(), stream()];
    }

    /** @param isError whether the chunk is of the second of two streams */
    readonly addOutput = (chunk: Buffer, isError = false): void => this.#streams[isError ? 1 : 0].add(chunk);

    /** Adds the end of the output. @returns the last lines of the output, as one line */
    end(): string {
        this.#streams.forEach((stream) => stream.flush());
        const tails = this.#streams.map((stream) => stream.takeTail());
        const chunks = tails.flatMap((tail) => tail.chunks).toSorted((one, other) => one.place - other.place);
        chunks.forEach(({ chunk, stream }) => stream.read(chunk));
        this.#streams.forEach((stream) => stream.end());
        this.#leftOutBytes += tails.reduce((bytes, tail) => bytes + tail.leftOutBytes, 0);
        const lines = this.#end;
        if (lines.length > 0 || this.#leftOutBytes > 0) {
            this.addLine(aboutEnd(this.#leftOutBytes));
            [this.#end, this.#leftOutBytes] = [[], 0];
            lines.forEach(this.addLine);
        }
        return this.#last.join(" ⏎ ");
    }

    #addChunk(chunk: Buffer, stream: BuildStream): void {
        if (this.#count > maxLines) {
            this.#chunks += 1;
            stream.keepTail({ chunk, stream, place: this.#chunks });
            return;
        }
        this.#bytes += chunk.length;
        stream.read(chunk);
        if (this.#bytes > maxBytes && this.#count <= maxLines) {
            this.#count = maxLines;
            this.#countLine();
        }
    }

    #add(line: string): void {
        this.#countLine();
        // Spaces before and within the text show where an error is.
        const text = line.replace(/[^\P{C}\t]/gu, "").trimEnd();
        if (text !== "" && this.#saysWhy(text)) {
            this.#last.push(text);
        }
        if (this.#last.length > lastLines) {
            this.#last.shift();
        }
        if (this.#count > maxLines) {
            this.#addAfterLimit(text);
        } else if (text !== "") {
            this.addLine(text);
        }
    }

    #addAfterLimit(text: string): void {
        const isKept = text !== "" && this.#end.push(text) <= maxEndLines;
        if (!isKept) {
            const dropped = text === "" ? "" : (this.#end.shift() ?? "");
            this.#leftOutBytes += Buffer.byteLength(dropped) + 1;
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
            this.addLine(endFollows("command"));
        }
    }
}

/** A chunk of the output after the limit, as it is, because most of it is thrown away. */
interface TailChunk {
    readonly chunk: Buffer;
    readonly stream: BuildStream;
    /** Among the chunks of both streams. */
    readonly place: number;
}

interface BuildStreamOptions {
    addLine: (line: string) => void;
    /** Called with the output, without most of what it overwrites. */
    addChunk: (chunk: Buffer, stream: BuildStream) => void;
}

/** One of the streams of a builder. */
class BuildStream {
    readonly #addLine: (line: string) => void;
    readonly #filter: SecretFilter;
    readonly #overwritten: OverwrittenText;
    /** A secret that began before a cut ends within this size. */
    readonly #maxSecretBytes: number;
    #line = "";
    /** Whether the line begins again if text follows. */
    #isReturned = false;
    #tail: TailChunk[] = [];
    #tailBytes = 0;
    #droppedBytes = 0;

    constructor(secrets: Secrets, { addLine, addChunk }: BuildStreamOptions) {
        this.#addLine = addLine;
        this.#filter = new SecretFilter(secrets, (text) => this.#addText(text));
        this.#maxSecretBytes = maxCharacterBytes * secrets.finder.longest;
        this.#overwritten = new OverwrittenText(this.#maxSecretBytes, (chunk) => addChunk(chunk, this));
    }

    add(chunk: Buffer): void {
        this.#overwritten.add(chunk);
    }

    /** Adds what waits for the end of its line. */
    flush(): void {
        this.#overwritten.end();
    }

    read(chunk: Buffer): void {
        this.#filter.addOutput(chunk);
    }

    keepTail(part: TailChunk): void {
        this.#tail.push(part);
        this.#tailBytes += part.chunk.length;
        for (let first = this.#tail[0]; first !== undefined; first = this.#tail[0]) {
            if (this.#tailBytes - first.chunk.length < maxTailBytes) {
                return;
            }
            this.#tail.shift();
            this.#tailBytes -= first.chunk.length;
            this.#droppedBytes += first.chunk.length;
        }
    }

    /** @returns the chunks of the tail, from a line's begin, and how much of the output is missing before them */
    takeTail(): { chunks: readonly TailChunk[]; leftOutBytes: number } {
        const [tail, droppedBytes] = [this.#tail, this.#droppedBytes];
        [this.#tail, this.#tailBytes, this.#droppedBytes] = [[], 0, 0];
        if (droppedBytes === 0) {
            return { chunks: tail, leftOutBytes: 0 };
        }
        this.#filter.end();
        const whole = Buffer.concat(tail.map(({ chunk }) => chunk));
        const begins = [lineFeed, carriageReturn].map((end) => whole.indexOf(end, this.#maxSecretBytes));
        // A return also drops what was read of the line before the cut.
        const begin = Math.min(...begins.map((place) => (place === -1 ? whole.length : place)));
        let skipped = 0;
        const chunks = tail.map((part) => {
            const skip = Math.min(part.chunk.length, begin - skipped);
            skipped += skip;
            return { ...part, chunk: part.chunk.subarray(skip) };
        });
        return { chunks, leftOutBytes: droppedBytes + begin };
    }

    end(): void {
        this.#filter.end();
        if (this.#line !== "") {
            this.#endLine();
        }
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
}
