import { deserialize, serialize } from "node:v8";
import { EntryFile } from "../read/files/entry-file.js";
import { type FileState } from "../read/files/found-files.js";
import { type FrontMatter, type FrontMatterProblem } from "../read/front-matter/front-matter.js";
import { chunksOf } from "../text/chunks.js";

/** The facts of a page that its file alone determines. */
export interface PageFile {
    readonly meta: FrontMatter;
    readonly problems: readonly FrontMatterProblem[];
    readonly hasSource: boolean;
    /** The first heading, if the front matter has no title. */
    readonly heading: string | undefined;
    /** A digest of the text; undefined if the text is still in memory. */
    readonly digest: string | undefined;
}

interface KnownFile {
    readonly file: string;
    /** Empty if a later change may leave the file's identity as it is. */
    readonly identity: string;
    readonly digest: string;
    readonly page: PageFile | undefined;
}

const filesOfAnEntry = 512;

/** The name of the entry with a digest of what all pages depend on. The other entries have numbers as names. */
const contextEntry = "context";

/**
 * Remembers the files of a site between exports: an export does not read unchanged files, and does not parse pages with
 * the same text. As in Git, a file counts as unchanged if its size, inode and times are the same as in the last export.
 */
export class KnownFiles {
    readonly #last: ReadonlyMap<string, KnownFile>;
    readonly #next = new Map<string, KnownFile>();
    #context: string;
    #areSettled = true;

    private constructor(
        private readonly entries: EntryFile,
        private readonly pieces: readonly (readonly KnownFile[])[],
        private readonly now: () => number,
    ) {
        this.#context = entries.get(contextEntry)?.toString("utf8") ?? "";
        this.#last = new Map(pieces.flat().map((known) => [known.file, known]));
    }

    static open(cacheDir: string, domain: string, now = Date.now): KnownFiles {
        const entries = EntryFile.open(cacheDir, domain, "files");
        return new KnownFiles(entries, [...readPieces(entries)], now);
    }

    /** Whether each later change of a file whose state was read also changes the identity that the caller gave. */
    get areSettled(): boolean {
        return this.#areSettled;
    }

    /** The state of a file. @param readState called only if the file may have changed */
    stateOf(file: string, identity: string, readState: () => FileState): FileState {
        const last = this.#last.get(file);
        if (last?.identity === identity) {
            this.#next.set(file, last);
            return { identity, digest: last.digest };
        }
        const { digest, identity: read } = readState();
        const isUnchanged = read === identity;
        const isFinal = isSettled(read, this.now());
        this.#areSettled &&= isUnchanged && isFinal;
        // The string is shared to save memory, because a site has many files.
        const state = { digest, identity: isUnchanged ? identity : read };
        const page = last?.digest === digest ? last.page : undefined;
        this.#next.set(file, { file, identity: isFinal ? state.identity : "", digest, page });
        return state;
    }

    /** Forgets all pages if `context` has changed. @param context a digest of everything that all pages depend on */
    setContext(context: string): void {
        if (this.#context !== context) {
            this.#context = context;
            this.#next.forEach(({ identity, digest }, file) =>
                this.#next.set(file, { file, identity, digest, page: undefined }),
            );
        }
    }

    /** The stored facts of a file whose text has not changed. */
    pageOf(file: string): PageFile | undefined {
        return this.#next.get(file)?.page;
    }

    addPage(file: string, page: PageFile): void {
        const known = this.#next.get(file);
        if (known !== undefined) {
            const { identity, digest } = known;
            // Not a copy by spreading, which takes four times the memory in V8.
            this.#next.set(file, { file, identity, digest, page });
        }
    }

    /** Stores the files for the next export. Call this only if no file has changed since its state was read. */
    async save(yieldToEventLoop: () => Promise<void>): Promise<void> {
        for (const [number, piece] of chunksOf([...this.#next.values()], filesOfAnEntry).entries()) {
            const before = this.pieces[number] ?? [];
            const isSame = before.length === piece.length && piece.every((known, at) => known === before[at]);
            // Not JSON, because front matter may contain numbers that JSON does not have.
            this.entries.keep(`${number}`, isSame ? undefined : serialize(piece));
            await yieldToEventLoop();
        }
        const context = Buffer.from(this.#context);
        this.entries.keep(contextEntry, this.entries.get(contextEntry)?.equals(context) === true ? undefined : context);
        await this.entries.save(yieldToEventLoop);
    }

    close(): void {
        this.entries.close();
    }
}

function* readPieces(entries: EntryFile): Generator<KnownFile[]> {
    let entry = entries.get("0");
    try {
        for (let number = 1; entry !== undefined; number++) {
            yield deserialize(entry) as KnownFile[];
            entry = entries.get(`${number}`);
        }
    } catch {
        // A newer Node.js has written the entry: its files are read again.
    }
}

/** Disks that store whole seconds may record the same time for two changes within this interval. */
const wholeSecondsNs = 2_000_000_000n;
/** Others record the time of the kernel's last tick, which is at most 10 ms old. */
const fractionsNs = 100_000_000n;

/** Whether each later change of a file also changes its identity. */
function isSettled(identity: string, nowMs: number): boolean {
    const changedNs = BigInt(identity.slice(identity.lastIndexOf(" ") + 1));
    const roundingNs = changedNs % 1_000_000_000n === 0n ? wholeSecondsNs : fractionsNs;
    return changedNs + roundingNs < BigInt(nowMs) * 1_000_000n;
}
