import { createHash } from "node:crypto";
import { type SourceState } from "../plan/site-sources.js";
import { type SitePage } from "../plan/site-page.js";
import { type ExportPlan } from "../plan/site-plan.js";
import { maxKept } from "../problems/warnings.js";
import { EntryFile } from "../read/files/entry-file.js";
import { type ArchiveOutput } from "./output/archive-output.js";
import { type PageEffects } from "./page-effects.js";
import { type RecordedSearch } from "./search/site-search.js";

/** The effects of a group of pages, besides the bytes of its files. */
export interface GroupRecord {
    readonly effects: PageEffects;
    readonly search: RecordedSearch;
    /** The bodies of the pages for programs, in order. */
    readonly texts: readonly string[];
}

/** The settings and sources that groups depend on, and the folder that stores the groups for the next export. */
export interface StoredSources {
    readonly cacheDir: string;
    readonly settings: string;
    readonly sources: SourceState;
}

/** The part of an archive with the group's files. */
interface StoredGroup extends GroupRecord {
    readonly crc: number;
    readonly length: number;
    readonly endBytes: number;
}

/**
 * Reuses the compressed files of a group of neighbouring pages from the last export. A group's key has the sources of
 * its pages, and everything else that any page may depend on: the settings, all other files, and the titles and
 * front matter of all pages. So a page is never out of date, and a change to one of these writes every page.
 */
export class PageGroups {
    #saving: Promise<void> = Promise.resolve();

    private constructor(
        private readonly archive: ArchiveOutput,
        private readonly entries: EntryFile | undefined,
        private readonly context: string,
        private readonly sources: SourceState | undefined,
    ) {}

    /** @param cache undefined for an export that stores nothing for the next one */
    static open(archive: ArchiveOutput, plan: ExportPlan, cache: StoredSources | undefined): PageGroups {
        // Readers of certain pages have a search of all that they may read, which the groups of one part do not know.
        const isForAll = plan.restricted.length === 0 && plan.leftOut.pages.length === 0;
        const isReused = cache !== undefined && isForAll;
        const context = isReused ? contextOf(plan, cache.settings, cache.sources) : "";
        return new PageGroups(
            archive,
            isReused ? EntryFile.open(cache.cacheDir, plan.site.targets.domain, "groups") : undefined,
            context,
            cache?.sources,
        );
    }

    /** Whether the next export may reuse the groups of this one. */
    get isStored(): boolean {
        return this.entries !== undefined;
    }

    /**
     * Adds the files of a group to the archive.
     * @param reuse adds the effects of a group from the last export, unless a file that it imports has changed
     * @param write writes the files
     */
    async add(
        pages: readonly SitePage[],
        reuse: (record: GroupRecord) => boolean,
        write: () => Promise<GroupRecord>,
    ): Promise<GroupRecord> {
        const before = await this.archive.beginPart();
        const { entries } = this;
        if (entries === undefined) {
            const written = await write();
            // Parts end at the same places, with or without a cache.
            await this.archive.beginPart();
            return written;
        }
        const hash = createHash("sha256").update(this.context).update(before);
        pages.forEach(({ cacheKey }) => hash.update(cacheKey));
        const key = hash.digest("hex");
        const entry = entries.get(key);
        if (entry !== undefined) {
            const start = entry.indexOf("\n") + 1;
            const { crc, length, endBytes, ...record } = JSON.parse(entry.toString("utf8", 0, start)) as StoredGroup;
            if (reuse(record)) {
                const content = start + endBytes;
                const [end, compressed] = [entry.subarray(start, content), entry.subarray(content)];
                await this.archive.repeat({ compressed, crc, length, end });
                entries.keep(key);
                return record;
            }
        }
        const record = await write();
        const { whole } = await this.archive.endPart();
        this.#saving = this.#saving.then(async () => {
            const { compressed, crc, length, end } = await whole;
            const stored: StoredGroup = { ...record, crc, length, endBytes: end.length };
            entries.keep(key, Buffer.concat([Buffer.from(`${JSON.stringify(stored)}\n`), end, compressed]));
        });
        this.#saving.catch(() => undefined);
        return record;
    }

    /**
     * Stores the groups for the next export, unless a file of the site was written since the export began.
     * @param warnings how many different ones there are
     */
    async save(warnings: number, yieldToEventLoop: () => Promise<void>): Promise<void> {
        await this.#saving;
        // With more warnings, the log may lack some that a reused page would add.
        if (warnings < maxKept && this.sources?.wasCurrent === true) {
            await this.entries?.save(yieldToEventLoop);
        }
    }

    /** Waits for what is still written. Without an earlier `save`, the groups of the last export remain. */
    async close(): Promise<void> {
        await this.#saving.catch(() => undefined);
        this.entries?.close();
    }
}

/** Of everything that pages depend on, except their own texts. */
function contextOf({ site, problems }: ExportPlan, settings: string, sources: SourceState): string {
    const own = new Set(site.pages.filter(({ hasSource }) => hasSource).map(({ file }) => file));
    const facts = {
        settings,
        node: process.version,
        others: sources.digestWithout(own),
        problems: problems.map(({ kind, file, reason }) => [kind, file, reason]),
        navigation: site.navigation,
        targets: [...site.targets.pages],
        exported: [...site.targets.exported],
        assets: [...site.targets.assets],
        models: [...site.modelRoutes].map(([document, routes]) => [document.file, [...routes]]),
        pages: site.pages.map(({ route, file, title, label, hasSource, meta, problems: own, subject }) => {
            return [route, file, title, label, hasSource, meta, own, subject?.digest];
        }),
    };
    return createHash("sha256").update(JSON.stringify(facts)).digest("hex");
}
