import { pagesOfAGroup } from "@pulumi-static-export/contract/search";
import { chunksOf } from "../text/chunks.js";
import { type AgentFiles } from "./agents/agent-files.js";
import { writePageGroup } from "./pages/page-group-writer.js";
import { type GroupRecord, type GroupSearch, type PageGroups, returning } from "./page-groups.js";
import { type SitePart } from "./pages/site-part.js";
import { GroupsAhead, type GroupsAheadOptions, type PlannedGroup } from "./workers/groups-ahead.js";

interface SitePagesOptions extends Omit<GroupsAheadOptions, "groups"> {
    /** Receives the pages that everybody may read. */
    readonly agentFiles: AgentFiles;
    /** The groups of pages in the archive; undefined for an export to a folder. */
    readonly groups: PageGroups | undefined;
    /** Called after each page. */
    readonly onDone: (pages: number) => void;
}

/**
 * The number of neighbouring groups whose terms are merged, and the number of these blocks that are merged before all
 * terms: then the next export merges only what has changed.
 */
const groupsOfABlock = 16;
const blocksOfAPart = 8;

/** Writes all pages, their Markdown copies and feeds, the files of the search, and the files of long lists. */
export async function writeSitePages(options: SitePagesOptions): Promise<void> {
    const { parts, work } = options;
    const planned = parts.flatMap(groupsOf);
    const ahead = GroupsAhead.start({ ...options, groups: planned });
    let count = 0;
    let blocks: GroupSearch[] = [];
    for (const block of chunksOf(planned, groupsOfABlock)) {
        // Of a group, only the terms are kept until the end of the block: its texts may take much memory.
        const searches: GroupSearch[] = [];
        for (const group of block) {
            const pages = group.numbered.map(({ page }) => page);
            const record = await writeGroup(group, ahead, options, () => options.onDone(++count));
            searches.push(record.search);
            await options.agentFiles.add(pages, record.texts, record.effects.imports.flat());
            await work.yieldToEventLoop();
        }
        const merged = options.groups?.mergeSearch(searches);
        if (merged === undefined) {
            addSearch(searches, parts);
        } else if (blocks.push(merged) === blocksOfAPart) {
            addMerged(blocks, options);
            blocks = [];
        }
    }
    addMerged(blocks, options);
    await options.workers.close();
    work.onPage?.(undefined);
    for (const { search, writer, output } of parts) {
        for await (const [file, content] of search?.files(writer.frame.searchScopes.all) ?? []) {
            await output.write(file, content);
            await work.yieldToEventLoop();
        }
        for (const [file, content] of writer.listFiles()) {
            await output.write(file, content);
            await work.yieldToEventLoop();
        }
    }
}

/** Adds the terms of blocks to the search. Groups are stored only if the site has one part. */
function addMerged(blocks: readonly GroupSearch[], { parts, groups }: SitePagesOptions): void {
    const merged = blocks.length > 1 ? groups?.mergeSearch(blocks) : blocks[0];
    addSearch(merged === undefined ? [] : [merged], parts);
}

/** Adds the terms of groups to the search. */
function addSearch(searches: readonly GroupSearch[], parts: readonly SitePart[]): void {
    for (const read of searches) {
        read().forEach((ofPart, index) => parts[index]?.search?.addRecorded(ofPart));
    }
}

function groupsOf({ plan, numbers }: SitePart, partNumber: number): PlannedGroup[] {
    const own = plan.pages.filter(({ route }) => plan.own.has(route));
    return [...chunksOf(own, pagesOfAGroup)].map((pages) => ({
        numbered: pages.map((page) => ({ page, number: numbers.get(page.route) ?? 0 })),
        partNumber,
    }));
}

function writeGroup(
    group: PlannedGroup,
    ahead: GroupsAhead | undefined,
    { parts, agentFiles, groups, work }: SitePagesOptions,
    onDone: () => void,
): Promise<GroupRecord> {
    const { numbered, partNumber } = group;
    const part = parts[partNumber] as SitePart;
    const pages = numbered.map(({ page }) => page);
    const reuse = ({ effects, anchors }: GroupRecord): boolean => {
        const isCurrent = part.writer.reuse(pages, effects, anchors);
        if (isCurrent) {
            pages.forEach(onDone);
        }
        return isCurrent;
    };
    const write = async (): Promise<GroupRecord> => {
        const fromWorker = await ahead?.take(group);
        if (fromWorker !== undefined) {
            for (let done = 0; done < pages.length; done += 1) {
                onDone();
                await work.yieldToEventLoop();
            }
        }
        const written = fromWorker ?? (await writePageGroup(numbered, part, parts, { ...work, onDone }));
        const { texts, effects, anchors, search } = written;
        // The files for programs contain only pages that everybody may read. Each text replaces the body, because the
        // bodies and texts of a group of long pages would not fit into the memory of an export together.
        pages.forEach((page, at) => {
            texts[at] = part === parts[0] ? agentFiles.textOf(page, texts[at] ?? "") : "";
        });
        return {
            effects,
            anchors,
            search: returning(search),
            texts: { bytes: texts.map((text) => Buffer.byteLength(text)), read: returning(texts) },
        };
    };
    return groups === undefined ? write() : groups.add(pages, reuse, write);
}
