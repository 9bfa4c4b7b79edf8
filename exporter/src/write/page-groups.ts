import { createHash } from "node:crypto";
import { type SourceState } from "../plan/site-sources.js";
import { type SitePage } from "../plan/site-page.js";
import { type ExportPlan } from "../plan/site-plan.js";
import { maxKept } from "../problems/warnings.js";
import { EntryFile } from "../read/files/entry-file.js";
import { type AnchorLink, type PageAnchors } from "../plan/links/anchor-check.js";
import { type PageTexts } from "./agents/llms-full.js";
import { type ArchiveOutput } from "./output/archive-output.js";
import { type GzipSegment } from "./output/gzip-segments.js";
import { type PageEffects } from "./pages/page-effects.js";
import { type RecordedSearch } from "./search/site-search.js";

/** The effects of a group of pages, apart from the bytes of its files. */
export interface GroupRecord {
    readonly effects: PageEffects;
    readonly anchors: PageAnchors;
    readonly search: RecordedSearch;
    readonly texts: PageTexts;
}

/** The settings and sources that groups depend on, and the folder that stores the groups for the next export. */
export interface StoredSources {
    readonly cacheDir: string;
    readonly settings: string;
    readonly sources: SourceState;
}

/** A group, with the segment of an archive that contains its files. The group's links and text are stored separately. */
interface StoredGroup extends Pick<GroupRecord, "effects" | "search"> {
    readonly ids: readonly number[];
    readonly targets: readonly number[];
    readonly bytes: readonly number[];
}

/** The keys of a group's further entries, which most exports do not read. */
const linksOf = (key: string): string => `${key} links`;
const textsOf = (key: string): string => `${key} texts`;

/**
 * Reuses the compressed files of a group of neighbouring pages from the last export. A group's key covers the sources
 * of the group's pages, and everything else that any page may depend on: the settings, all other files, and the titles
 * and front matter of all pages. So no page is ever out of date: a change to anything that all pages depend on rewrites
 * every page.
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
        // Readers of private pages search all pages that they may read, but the groups of one part do not contain all
        // these pages.
        const isForAll = plan.privatePlans.length === 0 && plan.forNobody.pages.length === 0;
        const isReused = cache !== undefined && isForAll;
        const context = isReused ? contextOf(plan, cache.settings, cache.sources) : "";
        return new PageGroups(
            archive,
            isReused ? EntryFile.open(cache.cacheDir, plan.site.targets.domain, "groups") : undefined,
            context,
            cache?.sources,
        );
    }

    /**
     * Adds the files of a group to the archive.
     * @param reuse adds the effects of a group from the last export, unless a file that the group imports has changed
     * @param write writes the files
     */
    async add(
        pages: readonly SitePage[],
        reuse: (record: GroupRecord) => boolean,
        write: () => Promise<GroupRecord>,
    ): Promise<GroupRecord> {
        const key = await this.#begin(pages.map(({ cacheKey }) => cacheKey));
        const { entries } = this;
        if (entries === undefined) {
            return this.#writeOnly(write);
        }
        const names = [key, linksOf(key), textsOf(key)];
        const entry = entries.get(key);
        if (entry !== undefined && names.every((name) => entries.get(name) !== undefined)) {
            const { segment, facts } = unpack<StoredGroup>(entry);
            const { effects, search, ids, targets, bytes } = facts;
            const read = <T>(name: string) => JSON.parse(entries.get(name)?.toString("utf8") ?? "[]") as T[];
            const record: GroupRecord = {
                effects,
                search,
                anchors: { ids, targets, links: () => read<AnchorLink>(linksOf(key)), areLinksStored: true },
                texts: { bytes, read: () => read<string>(textsOf(key)) },
            };
            if (reuse(record)) {
                await this.archive.repeat(segment);
                names.forEach((name) => entries.keep(name));
                return record;
            }
        }
        const record = await write();
        const { effects, search, anchors, texts } = record;
        const [ids, targets] = [Array.from(anchors.ids), Array.from(anchors.targets)];
        await this.#store(key, { effects, search, ids, targets, bytes: texts.bytes } satisfies StoredGroup);
        entries.keep(linksOf(key), Buffer.from(JSON.stringify(anchors.links())));
        entries.keep(textsOf(key), Buffer.from(JSON.stringify(texts.read())));
        return record;
    }

    /**
     * Adds files that pages of several groups share.
     * @param names names of everything that the files depend on, in addition to the groups' context
     */
    async addFiles(names: readonly string[], write: () => Promise<void>): Promise<void> {
        const key = await this.#begin(names);
        const entry = this.entries?.get(key);
        if (this.entries === undefined) {
            await this.#writeOnly(write);
        } else if (entry === undefined) {
            await write();
            await this.#store(key, {});
        } else {
            await this.archive.repeat(unpack(entry).segment);
            this.entries.keep(key);
        }
        // The text of shared files has little in common with the text of pages, and a change of its length would change
        // the following segment.
        await this.archive.forgetSegment();
    }

    /** Begins a segment of the archive. @returns the segment's key */
    async #begin(names: readonly string[]): Promise<string> {
        const before = await this.archive.beginSegment();
        const hash = createHash("sha256").update(this.context).update(before);
        names.forEach((name) => hash.update(name));
        return hash.digest("hex");
    }

    /** Begins a segment after the written files, so that segments end at the same pages with and without a cache. */
    async #writeOnly<T>(write: () => Promise<T>): Promise<T> {
        const written = await write();
        await this.archive.beginSegment();
        return written;
    }

    async #store(key: string, facts: object): Promise<void> {
        const { whole } = await this.archive.endSegment();
        this.#saving = this.#saving.then(async () => this.entries?.keep(key, pack(await whole, facts)));
        this.#saving.catch(() => undefined);
    }

    /**
     * Stores the groups for the next export, unless a file of the site was written since the export began.
     * @param warnings the number of different warnings
     */
    async save(warnings: number, yieldToEventLoop: () => Promise<void>): Promise<void> {
        await this.#saving;
        // Beyond this number of warnings, the log may lack warnings that a reused page would add.
        if (warnings < maxKept && this.sources?.wasCurrent === true) {
            await this.entries?.save(yieldToEventLoop);
        }
    }

    /** Waits for pending writes. Without an earlier `save`, the groups of the last export remain. */
    async close(): Promise<void> {
        await this.#saving.catch(() => undefined);
        this.entries?.close();
    }
}

/** Packs a segment of an archive into an entry, whose first line describes the segment. */
function pack({ compressed, crc, length, end }: GzipSegment, facts: object): Buffer {
    const line = JSON.stringify({ ...facts, crc, length, endBytes: end.length });
    return Buffer.concat([Buffer.from(`${line}\n`), end, compressed]);
}

function unpack<Facts extends object>(entry: Buffer): { readonly segment: GzipSegment; readonly facts: Facts } {
    const start = entry.indexOf("\n") + 1;
    const facts = JSON.parse(entry.toString("utf8", 0, start)) as Facts & SegmentFacts;
    const content = start + facts.endBytes;
    const [end, compressed] = [entry.subarray(start, content), entry.subarray(content)];
    return { segment: { compressed, crc: facts.crc, length: facts.length, end }, facts };
}

interface SegmentFacts {
    readonly crc: number;
    readonly length: number;
    readonly endBytes: number;
}

/** A digest of everything that pages depend on, except their own text. */
function contextOf({ site, problems }: ExportPlan, settings: string, sources: SourceState): string {
    const own = new Set(site.pages.filter(({ hasSource }) => hasSource).map(({ file }) => file));
    const facts = {
        settings,
        node: process.version,
        others: sources.digestWithout(own),
        problems: problems.map((each) => [each.kind, "setting" in each ? each.setting : each.file, each.reason]),
        navigation: site.navigation,
        assets: [...site.targets.assets],
        models: [...site.modelRoutes].map(([document, routes]) => [document.file, [...routes]]),
    };
    const hash = createHash("sha256").update(JSON.stringify(facts));
    // Hashes the pages one after the other, because one string for all pages of a large site takes too much memory.
    const add = (fact: unknown) => hash.update(JSON.stringify(fact));
    for (const [route, { file }] of site.targets.pages) {
        add([route, file]);
    }
    for (const route of site.targets.exported.keys()) {
        add(route);
    }
    for (const { route, file, title, label, hasSource, meta, problems: own, subject } of site.pages) {
        add([route, file, title, label, hasSource, meta, own, subject?.digest]);
    }
    return hash.digest("hex");
}
