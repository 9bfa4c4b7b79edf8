import { on } from "node:events";
import { type MessagePort } from "node:worker_threads";
import { AnchorCheck } from "../../plan/links/anchor-check.js";
import { EntryFile } from "../../read/files/entry-file.js";
import { PageCache } from "../../render/body/page-cache.js";
import { type SiteOutput } from "../output/site-output.js";
import { writePageGroup } from "../pages/page-group-writer.js";
import { createPart, type SitePart } from "../pages/site-part.js";
import { type PackedPage, unpackPlans } from "./packed-site.js";
import {
    type EndOfSite,
    type GroupAnswer,
    type GroupRequest,
    type MessageToWorker,
    type PageWorkerData,
    type SiteOfWorker,
} from "./page-worker-message.js";

/** The limit for the files of a group, which wait in memory until they are sent. */
const maxBytes = 32 * 1024 * 1024;

/** The size that is enough for most groups. */
const startBytes = 2 * 1024 * 1024;

/** Writes groups of pages of one site after another in a worker thread, until the main thread ends the worker. */
export async function servePageGroups(port: MessagePort, { begun }: PageWorkerData): Promise<void> {
    let writer: PageGroupWorker | undefined;
    // One group after another, because some pages wait until libraries are loaded.
    for await (const [message] of on(port, "message") as AsyncIterable<[MessageToWorker]>) {
        if (message === endOfSite) {
            writer?.close();
            writer = undefined;
            port.postMessage(undefined);
        } else if ("site" in message) {
            writer = await PageGroupWorker.create(message, begun);
        } else {
            const answer = await writer?.write(message);
            const moved = answer === undefined ? [] : [answer.bytes.buffer, answer.entryBytes.buffer];
            port.postMessage(answer, moved as ArrayBuffer[]);
        }
    }
}

const endOfSite: EndOfSite = "end of site";

/** Joins pieces of a limited total size, without a copy of each piece. */
class Pieces {
    #bytes = Buffer.alloc(0);
    #length = 0;

    /** @returns the length of the piece in bytes */
    add(piece: string | Uint8Array): number {
        const most = this.#length + (typeof piece === "string" ? 3 * piece.length : piece.length);
        if (most > this.#bytes.length) {
            const larger = Buffer.allocUnsafeSlow(Math.max(startBytes, 2 * most));
            this.#bytes.copy(larger, 0, 0, this.#length);
            this.#bytes = larger;
        }
        let added = piece.length;
        if (typeof piece === "string") {
            added = this.#bytes.write(piece, this.#length);
        } else {
            this.#bytes.set(piece, this.#length);
        }
        this.#length += added;
        if (this.#length > maxBytes) {
            throw new Error("the files of these pages take too much memory for a worker");
        }
        return added;
    }

    take(): Uint8Array<ArrayBuffer> {
        // Without the unused rest: the thread that receives the bytes collects garbage more often if buffers are large.
        const bytes = new Uint8Array(this.#bytes.buffer.transfer(this.#length));
        [this.#bytes, this.#length] = [Buffer.alloc(0), 0];
        return bytes;
    }
}

class PageGroupWorker {
    #files: [part: number, file: string, length: number][] = [];
    readonly #bytes = new Pieces();
    #entries: [key: string, length: number | undefined][] = [];
    readonly #entryBytes = new Pieces();
    #parts: readonly SitePart[] = [];
    readonly #pages: readonly (readonly PackedPage[])[];

    private constructor(
        private readonly begun: Int32Array,
        plans: ReturnType<typeof unpackPlans>,
        private readonly stored: EntryFile | undefined,
    ) {
        this.#pages = plans.map(({ pages }) => pages);
    }

    static async create({ warnedFiles, cache, site }: SiteOfWorker, begun: Int32Array): Promise<PageGroupWorker> {
        const plans = unpackPlans(site);
        const stored = cache && EntryFile.openToRead(cache.cacheDir, cache.domain, "pages");
        const worker = new PageGroupWorker(begun, plans, stored);
        const entries = {
            get: (key: string) => stored?.get(key),
            has: (key: string) => stored?.has(key) === true,
            keep: (key: string, entry?: Buffer) => worker.#keep(key, entry),
        };
        const shared = {
            theme: site.theme,
            cache: cache && new PageCache(entries),
            warnings: { add: () => undefined, kept: warnedFiles.map((file) => ({ file })) },
            anchors: new AnchorCheck(),
        };
        const parts = plans.map((plan, number) =>
            createPart(number, { ...shared, plan, output: worker.#output(number) }),
        );
        worker.#parts = await Promise.all(parts);
        return worker;
    }

    async write({ part: index, numbers, sources }: GroupRequest): Promise<GroupAnswer> {
        const part = this.#parts[index] as SitePart;
        const numbered = numbers.map((number, at) => {
            const page = this.#pages[index]?.[number] as PackedPage;
            page.source = sources[at] ?? "";
            return { page, number };
        });
        const reusedBefore = part.writer.reusedCount;
        try {
            const { anchors, ...group } = await writePageGroup(numbered, part, this.#parts, {
                onPage: () => void Atomics.add(this.begun, 0, 1),
                onDone: () => undefined,
                yieldToEventLoop: () => Promise.resolve(),
            });
            const { ids, targets, links } = anchors;
            return {
                ...group,
                anchors: { ids, targets, links: links() },
                files: this.#files,
                bytes: this.#bytes.take(),
                entries: this.#entries,
                entryBytes: this.#entryBytes.take(),
                reusedCount: part.writer.reusedCount - reusedBefore,
            };
        } catch {
            // The main thread writes the pages again, and throws the error.
            this.#bytes.take();
            this.#entryBytes.take();
            this.#parts.forEach(({ search }) => search?.takeTerms());
            return undefined;
        } finally {
            [this.#files, this.#entries] = [[], []];
            numbered.forEach(({ page }) => void (page.source = ""));
        }
    }

    close(): void {
        this.stored?.close();
    }

    #output(part: number): SiteOutput {
        return {
            write: (file, content) => {
                this.#files.push([part, file, this.#bytes.add(content)]);
                return Promise.resolve();
            },
            copy: () => Promise.reject(new Error("a worker writes only pages")),
        };
    }

    #keep(key: string, entry: Buffer | undefined): void {
        this.#entries.push([key, entry?.length]);
        if (entry !== undefined) {
            this.#entryBytes.add(entry);
        }
    }
}
