import { createHash, hash } from "node:crypto";
import { type SourceState } from "../plan/site-sources.js";
import { type SitePage } from "../plan/site-page.js";
import { type ExportPlan } from "../plan/site-plan.js";
import { maxKept } from "../problems/warning-log.js";
import { EntryFile } from "../read/files/entry-file.js";
import { type AnchorLink, type PageAnchors } from "../plan/links/anchor-check.js";
import { type PageTexts } from "./agents/llms-full.js";
import { type ArchiveOutput } from "./output/archive-output.js";
import { type GzipSegment } from "./output/gzip-segments.js";
import { type PageEffects } from "./pages/page-effects.js";
import { chunksOf } from "../text/chunks.js";
import { mergeTerms, type RecordedSearch } from "./search/site-search.js";

/** Reads the terms of a group's pages, for the search of each part of the site. */
export type GroupSearch = () => readonly RecordedSearch[];

/** The effects of a group of pages, apart from the bytes of its files. */
export interface GroupRecord {
    readonly effects: PageEffects;
    readonly anchors: PageAnchors;
    readonly search: GroupSearch;
    readonly texts: PageTexts;
}

/** The settings and sources that groups depend on, and the folder that stores the groups for the next export. */
export interface StoredSources {
    readonly cacheDir: string;
    readonly settings: string;
    readonly sources: SourceState;
}

/** A group in the cache, whose bytes follow. The group's links, terms and text are further entries. */
interface StoredGroup {
    readonly effects: PageEffects;
    /** The length of each page's text. */
    readonly textBytes: readonly number[];
}

/** The further entries of a group, which most exports do not read. */
const further = ["links", "search", "texts"] as const;
const furtherKey = (key: string, name: (typeof further)[number]): string => `${key} ${name}`;

/**
 * Reuses the compressed files of a group of neighbouring pages from the last export. A group's key covers the sources
 * of the group's pages, and everything else that any page may depend on: the settings, all other files, and the titles
 * and front matter of all pages. So no page is ever out of date: a change to anything that all pages depend on rewrites
 * every page.
 */
export class PageGroups {
    #saving: Promise<void> = Promise.resolve();
    readonly #keys = new WeakMap<GroupSearch, string>();

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
        const names = [key, ...further.map((name) => furtherKey(key, name))];
        const entry = names.every((name) => entries.has(name)) ? entries.get(key) : undefined;
        if (entry !== undefined) {
            const { segment, facts, numbers } = unpack<StoredGroup>(entry);
            const [ids = [], targets = []] = numbers;
            const read = <T>(name: (typeof further)[number]) =>
                JSON.parse(entries.mustGet(furtherKey(key, name)).toString("utf8")) as readonly T[];
            const record: GroupRecord = {
                effects: facts.effects,
                anchors: { ids, targets, links: () => read<AnchorLink>("links"), areLinksStored: true },
                search: () => read<RecordedSearch>("search"),
                texts: { bytes: facts.textBytes, read: () => read<string>("texts") },
            };
            if (reuse(record)) {
                await this.archive.repeat(segment);
                names.forEach((name) => entries.keep(name));
                this.#keys.set(record.search, key);
                return record;
            }
        }
        const record = await write();
        const { effects, search, anchors, texts } = record;
        const numbers = [anchors.ids, anchors.targets];
        await this.#store(key, { effects, textBytes: texts.bytes } satisfies StoredGroup, numbers);
        const content = { links: anchors.links(), search: search(), texts: texts.read() };
        further.forEach((name) => entries.keep(furtherKey(key, name), Buffer.from(JSON.stringify(content[name]))));
        this.#keys.set(record.search, key);
        return record;
    }

    /**
     * Merges the terms of neighbouring groups, or of neighbouring merged groups, unless the last export has merged them:
     * then the terms are read only if the next merge needs them.
     * @returns undefined for groups that are not stored
     */
    mergeSearch(searches: readonly GroupSearch[]): GroupSearch | undefined {
        const { entries } = this;
        if (entries === undefined) {
            return undefined;
        }
        const key = hash("sha256", searches.map((search) => this.#keys.get(search)).join(" "));
        const isStored = entries.has(key);
        const search = isStored
            ? () => [JSON.parse(entries.mustGet(key).toString("utf8")) as RecordedSearch]
            : returning([mergeTerms(searches.flatMap((each) => each()))]);
        entries.keep(key, isStored ? undefined : Buffer.from(JSON.stringify(search()[0])));
        this.#keys.set(search, key);
        return search;
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
        return hash("sha256", [this.context, before, ...names].join(" "));
    }

    /** Begins a segment after the written files, so that segments end at the same pages with and without a cache. */
    async #writeOnly<T>(write: () => Promise<T>): Promise<T> {
        const written = await write();
        await this.archive.beginSegment();
        return written;
    }

    async #store(key: string, facts: object, numbers: readonly ArrayLike<number>[] = []): Promise<void> {
        const { whole } = await this.archive.endSegment();
        this.#saving = this.#saving.then(async () => this.entries?.keep(key, pack(await whole, facts, numbers)));
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

/** Returns a function that keeps only its value in memory: functions of one scope keep each other's variables. */
export function returning<T>(value: T): () => T {
    return () => value;
}

interface SegmentFacts extends Pick<GzipSegment, "crc" | "length" | "endDigest"> {
    readonly endBytes: number;
    /** The number of bytes of each list of numbers. */
    readonly numberBytes: readonly number[];
}

/** Packs a segment of an archive and lists of numbers into an entry, whose first line describes the bytes. */
function pack(
    { compressed, end, ...segment }: GzipSegment,
    facts: object,
    numbers: readonly ArrayLike<number>[],
): Buffer {
    const lists = numbers.map((list) => Buffer.from(Int32Array.from(list).buffer));
    const ofSegment: SegmentFacts = {
        ...segment,
        endBytes: end.length,
        numberBytes: lists.map(({ length }) => length),
    };
    return Buffer.concat([Buffer.from(`${JSON.stringify({ ...facts, ...ofSegment })}\n`), ...lists, end, compressed]);
}

function unpack<Facts extends object>(entry: Buffer) {
    const line = entry.indexOf("\n");
    const facts = JSON.parse(entry.toString("utf8", 0, line)) as Facts & SegmentFacts;
    let at = line + 1;
    const take = (bytes: number) => entry.subarray(at, (at += bytes));
    // The copies are aligned, as typed arrays require.
    const numbers = facts.numberBytes.map((bytes) => new Int32Array(new Uint8Array(take(bytes)).buffer));
    const { crc, length, endDigest } = facts;
    const end = take(facts.endBytes);
    const segment: GzipSegment = { crc, length, endDigest, end, compressed: entry.subarray(at) };
    return { segment, facts, numbers };
}

const pagesOfAnUpdate = 256;

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
    const digest = createHash("sha256").update(JSON.stringify(facts));
    const { pages, exported } = site.targets;
    const add = <T>(all: Iterable<T>, factsOfOne: (one: T) => unknown) => {
        // One string for all pages of a large site takes too much memory, and one for each page too much time.
        for (const some of chunksOf([...all], pagesOfAnUpdate)) {
            digest.update(JSON.stringify(some.map(factsOfOne)));
        }
    };
    add(pages, ([route, { file }]) => [route, file]);
    if (exported !== pages) {
        add(exported.keys(), (route) => route);
    }
    add(site.pages, ({ route, file, title, label, hasSource, meta, problems: own, subject }) => {
        return [route, file, title, label, hasSource, meta, own, subject?.digest];
    });
    return digest.digest("hex");
}
