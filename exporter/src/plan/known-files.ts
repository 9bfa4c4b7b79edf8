import { type FrontMatter, type FrontMatterProblem } from "../read/front-matter/front-matter.js";
import { EntryFile } from "../read/files/entry-file.js";
import { type FileState } from "../read/files/found-files.js";
import { chunksOf } from "../text/chunks.js";

/** Facts from a page's text. */
export interface KnownPage {
    readonly route: string;
    /** The digest of the page's subject; empty without a subject. */
    readonly subject: string;
    readonly meta: FrontMatter;
    readonly problems: readonly FrontMatterProblem[];
    readonly title: string;
    readonly hasSource: boolean;
    readonly cacheKey: string;
}

interface KnownFile {
    readonly file: string;
    /**
     * The file's state; empty if the file changed shortly before it was read, because a later change may have the same
     * time.
     */
    readonly identity: string;
    readonly digest: string;
    readonly page?: KnownPage | undefined;
}

/** File systems may record the same time for two changes within this interval. */
const settledNs = 2_000_000_000n;

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
    #context: string | undefined;
    #areSettled = true;

    private constructor(
        private readonly entries: EntryFile,
        private readonly pieces: readonly (readonly KnownFile[])[],
        private readonly now: () => number,
    ) {
        this.#context = entries.get(contextEntry)?.toString("utf8");
        this.#last = new Map(pieces.flat().map((known) => [known.file, known]));
    }

    static open(cacheDir: string, domain: string, now = Date.now): KnownFiles {
        const entries = EntryFile.open(cacheDir, domain, "files");
        const pieces: KnownFile[][] = [];
        for (let entry = entries.get("0"); entry !== undefined; entry = entries.get(`${pieces.length}`)) {
            pieces.push(JSON.parse(entry.toString("utf8")) as KnownFile[]);
        }
        return new KnownFiles(entries, pieces, now);
    }

    /** Whether each later change of a file whose state was read also changes the identity that the caller gave. */
    get areSettled(): boolean {
        return this.#areSettled;
    }

    /** The state of a file. @param readState called only if the state is unknown */
    stateOf(file: string, identity: string, readState: () => FileState): FileState {
        const last = this.#last.get(file);
        if (last?.identity === identity) {
            this.#next.set(file, last);
            return { identity, digest: last.digest };
        }
        const { digest, ...read } = readState();
        // The string is shared to save memory, because a site has many files.
        const state = { identity: read.identity === identity ? identity : read.identity, digest };
        const changedNs = BigInt(state.identity.slice(state.identity.lastIndexOf(" ") + 1));
        const isSettled = changedNs + settledNs < BigInt(this.now()) * 1_000_000n;
        this.#areSettled &&= isSettled && state.identity === identity;
        const page = last?.digest === digest ? last.page : undefined;
        this.#next.set(file, { file, identity: isSettled ? state.identity : "", digest, page });
        return state;
    }

    /** Forgets all pages if `context` has changed. @param context a digest of everything that all pages depend on */
    setContext(context: string): void {
        if (this.#context !== context) {
            this.#context = context;
            this.#next.forEach(({ identity, digest }, file) => this.#next.set(file, { file, identity, digest }));
        }
    }

    /** The stored page of a file whose text has not changed. */
    pageOf(file: string, route: string): KnownPage | undefined {
        const page = this.#next.get(file)?.page;
        return page?.route === route ? page : undefined;
    }

    addPage(file: string, page: KnownPage): void {
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
            this.entries.keep(`${number}`, isSame ? undefined : Buffer.from(JSON.stringify(piece)));
            await yieldToEventLoop();
        }
        const context = Buffer.from(this.#context ?? "");
        this.entries.keep(contextEntry, this.entries.get(contextEntry)?.equals(context) === true ? undefined : context);
        await this.entries.save(yieldToEventLoop);
    }

    close(): void {
        this.entries.close();
    }
}
