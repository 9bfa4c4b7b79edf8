import { pagesOfAGroup } from "@pulumi-static-export/contract/search";
import { chunksOf } from "../text/chunks.js";
import { type AgentFiles } from "./agents/agent-files.js";
import { writePageGroup } from "./pages/page-group-writer.js";
import { type GroupRecord, type PageGroups } from "./page-groups.js";
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

/** Writes all pages, their Markdown copies and feeds, the files of the search, and the files of long lists. */
export async function writeSitePages(options: SitePagesOptions): Promise<void> {
    const { parts, work } = options;
    const planned = parts.flatMap(groupsOf);
    const ahead = GroupsAhead.start({ ...options, groups: planned });
    let count = 0;
    for (const group of planned) {
        const pages = group.numbered.map(({ page }) => page);
        const { texts, effects } = await writeGroup(group, ahead, options, () => options.onDone(++count));
        await options.agentFiles.add(pages, texts, effects.imports.flat());
        await work.yieldToEventLoop();
    }
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
    const reuse = ({ effects, anchors, search }: GroupRecord): boolean => {
        const isCurrent = part.writer.reuse(pages, effects, anchors);
        if (isCurrent) {
            part.search?.addRecorded(search);
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
        parts.forEach((each, index) => each.search?.addRecorded(search[index] ?? []));
        // The files for programs contain only pages that everybody may read. Each text replaces the body, because the
        // bodies and texts of a group of long pages would not fit into the memory of an export together.
        pages.forEach((page, at) => {
            texts[at] = part === parts[0] ? agentFiles.textOf(page, texts[at] ?? "") : "";
        });
        return {
            effects,
            anchors,
            // A group is stored only if the site has one part.
            search: search.flat(),
            texts: { bytes: texts.map((text) => Buffer.byteLength(text)), read: () => texts },
        };
    };
    return groups === undefined ? write() : groups.add(pages, reuse, write);
}
