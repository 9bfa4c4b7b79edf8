import { getHeapStatistics } from "node:v8";
import { type PageWork } from "../../plan/site-pages.js";
import { type PageCache } from "../../render/body/page-cache.js";
import { type NumberedPage, type WrittenGroup } from "../pages/page-group-writer.js";
import { type SitePart } from "../pages/site-part.js";
import { packSite } from "./packed-site.js";
import { type GroupAnswer, type GroupOfWorker } from "./page-worker-message.js";
import { type IdleWorkers, PageWorkers } from "./page-workers.js";

/** A group of pages in the order of the export. */
export interface PlannedGroup {
    readonly numbered: readonly NumberedPage[];
    /** The number of the part that contains the pages. */
    readonly partNumber: number;
}

export interface GroupsAheadOptions {
    /** The threads that write pages, if many pages are new. The caller closes them. */
    readonly workers: PageWorkers;
    readonly parts: readonly [SitePart, ...SitePart[]];
    readonly groups: readonly PlannedGroup[];
    readonly cache: PageCache | undefined;
    /** The folder of the cache, and the name of the site in it. */
    readonly stored: { readonly cacheDir: string; readonly domain: string } | undefined;
    /** The files that have warnings before the first page is written. */
    readonly warnedFiles: readonly string[];
    readonly work: PageWork;
}

/** With fewer pages, a worker takes more CPU time for its start, and until its code is compiled, than for its pages. */
export const pagesOfAWorker = 150;

/** The memory of a worker, measured with 2,000 pages. */
const megabytesOfAWorker = 192;

/** All workers together take at most about as much memory as the heap of the main thread may take. */
const maxWorkers = Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20 / megabytesOfAWorker);

/** Each worker has a copy of the plan, so a site of more pages is written by fewer workers. */
const maxPagesOfAllWorkers = 80_000;
export const mostPagesOfSeveralWorkers = maxPagesOfAllWorkers / 2;

/** @param newPages the number of pages that are probably new; for these, threads load their code before `begin` */
export function earlyWorkers(cores = 1, newPages = 0, idle?: IdleWorkers): PageWorkers {
    const workers = new PageWorkers(cores, idle);
    workers.start(workersFor(cores, newPages, newPages));
    return workers;
}

/** The number of workers, which write pages while this thread writes others; 0 if one thread is as fast. */
function workersFor(cores: number, pages: number, newPages: number): number {
    // The limits of a page's code count the CPU time of its thread, which Node.js 22 does not report.
    if (typeof process.threadCpuUsage !== "function") {
        return 0;
    }
    const most = Math.min(cores, maxWorkers, Math.floor(maxPagesOfAllWorkers / pages));
    const threads = Math.min(most, Math.floor(newPages / pagesOfAWorker));
    return Math.max(0, threads - 1);
}

/**
 * Writes groups of pages in other threads before their turn, and leaves some to this thread, which writes them at their
 * turn. Groups without a new page wait for their turn, because they are probably the same as in the last export.
 */
export class GroupsAhead {
    readonly #answers = new Map<PlannedGroup, Promise<GroupAnswer>>();
    /** The groups ahead of their turn that this thread writes, in their order. */
    readonly #own: PlannedGroup[] = [];
    /** The number of groups that workers have not answered. */
    #asked = 0;
    #next = 0;

    private constructor(
        private readonly workers: PageWorkers,
        private readonly groups: readonly PlannedGroup[],
        private readonly parts: readonly SitePart[],
        private readonly cache: PageCache | undefined,
        private readonly work: PageWork,
    ) {}

    /** @returns undefined for an export that one thread writes in less time */
    static start({
        parts,
        groups,
        cache,
        stored,
        warnedFiles,
        work,
        workers,
    }: GroupsAheadOptions): GroupsAhead | undefined {
        const ofSite = parts[0].plan.targets.pages.size;
        if (workersFor(workers.cores, ofSite, ofSite) === 0) {
            return undefined;
        }
        const newPagesOf = ({ numbered }: PlannedGroup) =>
            numbered.filter(({ page }) => cache?.has(page.cacheKey) !== true).length;
        const withNewPages = groups.map((group) => ({ group, newPages: newPagesOf(group) }));
        const newPages = withNewPages.reduce((sum, each) => sum + each.newPages, 0);
        const count = workersFor(workers.cores, ofSite, newPages);
        if (count === 0) {
            return undefined;
        }
        const newGroups = withNewPages.filter((each) => each.newPages > 0).map(({ group }) => group);
        const site = packSite(parts);
        workers.begin(count, { site, warnedFiles, cache: stored }, work.yieldToEventLoop);
        return new GroupsAhead(workers, newGroups, parts, cache, work);
    }

    /**
     * Takes a group that a worker has written, and writes its files.
     * @returns undefined for a group that this thread must write: no worker was asked for it, or the worker failed.
     * After a failure, the other workers have nothing to do, because such a group may need much memory
     */
    async take(group: PlannedGroup): Promise<WrittenGroup | undefined> {
        this.work.onPage?.(undefined);
        this.#fill();
        if (this.#own[0] === group) {
            this.#own.shift();
            return undefined;
        }
        const asked = this.#answers.get(group);
        if (asked === undefined) {
            return undefined;
        }
        const answer = await asked;
        this.#answers.delete(group);
        if (answer === undefined) {
            await Promise.all(this.#answers.values());
            await this.workers.settle();
            return undefined;
        }
        this.#fill();
        return this.#add(answer, group);
    }

    /** Leaves one of as many groups as there are threads to this thread, and fewer if a worker would have to wait. */
    #fill(): void {
        const { workers } = this;
        while (this.#answers.size < workers.room) {
            const isForWaiting = this.#asked < workers.alive && this.#own.length > 1;
            const group = isForWaiting ? this.#own.pop() : this.groups[this.#next];
            if (group === undefined) {
                return;
            }
            if (!isForWaiting && this.#next++ % (workers.alive + 1) === 0) {
                this.#own.push(group);
            } else {
                this.#ask(group);
            }
        }
    }

    #ask(group: PlannedGroup): void {
        this.#asked += 1;
        const answer = this.#write(group).finally(() => (this.#asked -= 1));
        answer.catch(() => undefined);
        this.#answers.set(group, answer);
    }

    async #write({ numbered, partNumber: part }: PlannedGroup): Promise<GroupAnswer> {
        const numbers = numbered.map(({ number }) => number);
        let sources: readonly string[];
        try {
            sources = numbered.map(({ page }) => page.source);
        } catch {
            // The error is thrown when it is the group's turn.
            return undefined;
        }
        return this.workers.write({ part, numbers, sources });
    }

    async #add(written: GroupOfWorker, { partNumber }: PlannedGroup): Promise<WrittenGroup> {
        const { files, bytes, entries, entryBytes, reusedCount, anchors, ...group } = written;
        let at = 0;
        for (const [part, file, length] of files) {
            await this.parts[part]?.output.write(file, bytes.subarray(at, at + length));
            at += length;
        }
        let entryAt = 0;
        for (const [key, length] of entries) {
            const entry = length === undefined ? undefined : Buffer.from(entryBytes.buffer, entryAt, length);
            this.cache?.keepEntry(key, entry);
            entryAt += length ?? 0;
        }
        const { links, ...ids } = anchors;
        const own = { ...ids, links: () => links, areLinksStored: false };
        this.parts[partNumber]?.writer.adopt(reusedCount, group.effects, own);
        await this.work.yieldToEventLoop();
        return { ...group, anchors: own };
    }
}
