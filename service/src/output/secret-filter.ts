import { StringDecoder } from "node:string_decoder";
import { minSecretCharacters, shownForms } from "./secret-forms.js";
import { TerminalReader } from "./terminal-reader.js";
import { ValueFinder } from "./value-finder.js";

/** Values that no log may contain, in any of their forms. */
export class Secrets {
    readonly finder: ValueFinder;

    constructor(values: readonly string[]) {
        this.finder = new ValueFinder(values.flatMap(shownForms));
    }

    /** A whole text as a terminal shows it, without colours and secrets. */
    remove(text: string): string {
        const parts: string[] = [];
        const filter = new SecretFilter(this, (part) => parts.push(part));
        filter.add(text);
        filter.end();
        return parts.join("");
    }
}

/** A place in the shown text, and what is written there without being compared with secrets. */
interface Insert {
    readonly place: number;
    text: string;
}

/** A part of the shown text that secrets cover. */
interface Cover {
    from: number;
    readonly to: number;
    /** Whether its mark was written. */
    isMarked: boolean;
}

const mark = "***";
/** So much of what nobody sees is kept within the beginning of a secret. */
const maxInsert = 64;

/**
 * Replaces secrets in the output of a program by `***`, also if colours are within a secret, a part of the output ends
 * there, or lines are wrapped there. Holds back only what may be the beginning of a secret, and writes what a terminal
 * shows.
 */
export class SecretFilter {
    readonly #finder: ValueFinder;
    readonly #write: (text: string) => void;
    readonly #decoder = new StringDecoder("utf8");
    readonly #reader: TerminalReader;
    #state = 0;
    /** What was shown, but not written. */
    #shown = "";
    #inserts: Insert[] = [];
    #covers: Cover[] = [];

    /** @param options.keepsStyles whether colours and characters without a width are written, too */
    constructor({ finder }: Secrets, write: (text: string) => void, options: { keepsStyles?: boolean } = {}) {
        this.#finder = finder;
        this.#write = write;
        const insert = (text: string) => this.#insert(text);
        this.#reader = new TerminalReader({
            show: (text) => this.#show(text),
            endLine: (character) => {
                // A line that ends with the first letters of a secret need not wait for the next one.
                if (this.#finder.depthOf(this.#state) < minSecretCharacters) {
                    this.#state = 0;
                }
                this.#insert(character);
            },
            ...(options.keepsStyles === true && {
                style: (codes: string) => insert(`\u001b[${codes}m`),
                hide: (character: string) => insert(character.replace(/\p{Cc}/u, "")),
            }),
        });
    }

    readonly addOutput = (chunk: Buffer): void => this.add(this.#decoder.write(chunk));

    add(text: string): void {
        this.#reader.read(text);
        this.#writeUntil(this.#shown.length - this.#finder.depthOf(this.#state));
    }

    /** Writes the rest. The beginning of a secret is replaced as well. */
    end(): void {
        this.add(this.#decoder.end());
        const begun = this.#finder.depthOf(this.#state);
        if (begun >= minSecretCharacters) {
            this.#cover(this.#shown.length - begun, this.#shown.length);
        }
        this.#state = 0;
        this.#writeUntil(this.#shown.length);
    }

    #show(text: string): void {
        const begin = this.#shown.length + 1;
        let state = this.#state;
        for (let at = 0; at < text.length; at += 1) {
            state = this.#finder.after(state, text.charCodeAt(at));
            const found = this.#finder.foundIn(state);
            if (found > 0) {
                this.#cover(begin + at - found, begin + at);
            }
        }
        this.#state = state;
        this.#shown += text;
    }

    #insert(text: string): void {
        const place = this.#shown.length;
        const last = this.#inserts.at(-1);
        if (last?.place !== place) {
            this.#inserts.push({ place, text });
        } else if (this.#state === 0 || last.text.length < maxInsert) {
            last.text += text;
        }
    }

    /** Merges parts that overlap. */
    #cover(from: number, to: number): void {
        const cover = { from: Math.max(0, from), to, isMarked: false };
        for (let last = this.#covers.at(-1); last !== undefined && last.to > cover.from; last = this.#covers.at(-1)) {
            cover.from = Math.min(cover.from, last.from);
            cover.isMarked = last.isMarked;
            this.#covers.pop();
        }
        this.#covers.push(cover);
    }

    #writeUntil(end: number): void {
        const parts: string[] = [];
        const due = this.#inserts.filter(({ place }) => place <= end);
        let at = 0;
        let next = 0;
        for (const { place, text } of [...due, { place: end, text: "" }]) {
            while (at < place) {
                const cover = this.#covers[next];
                if (cover === undefined || cover.from > at) {
                    const to = Math.min(place, cover?.from ?? place);
                    parts.push(this.#shown.slice(at, to));
                    at = to;
                    continue;
                }
                parts.push(cover.isMarked ? "" : mark);
                cover.isMarked = true;
                at = Math.min(place, cover.to);
                next += at === cover.to ? 1 : 0;
            }
            parts.push(text);
            const within = this.#covers[next];
            if (within !== undefined && within.from < at && /[\r\n]/.test(text)) {
                within.isMarked = false;
            }
        }
        this.#shown = this.#shown.slice(end);
        this.#inserts = this.#inserts.slice(due.length).map(({ place, text }) => ({ place: place - end, text }));
        this.#covers = this.#covers
            .slice(next)
            .map(({ from, to, isMarked }) => ({ from: Math.max(0, from - end), to: to - end, isMarked }));
        const text = parts.join("");
        if (text !== "") {
            this.#write(text);
        }
    }
}
