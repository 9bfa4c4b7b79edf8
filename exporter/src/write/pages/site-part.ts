import { type SitePlan } from "../../plan/site-plan.js";
import { type ThemeFiles } from "../../render/layout/theme-files.js";
import { type SiteOutput } from "../output/site-output.js";
import { SiteSearch, type WrittenFile } from "../search/site-search.js";
import { withEngine } from "../../render/script/script-engine.js";
import { PageWriter, type PageWriterOptions } from "./page-writer.js";
import { htmlFileOf } from "../../read/files/routes.js";

/**
 * The content of an export for some readers: the pages that only these readers may read, and a search of everything
 * that they may read.
 */
export interface SitePart {
    readonly plan: SitePlan;
    readonly theme: ThemeFiles;
    readonly writer: PageWriter;
    readonly output: SiteOutput;
    /** The search of this part; undefined for an export without search. */
    readonly search: SiteSearch | undefined;
    /** The positions of pages in the plan, by route. */
    readonly numbers: ReadonlyMap<string, number>;
}

/** The folder of a private part. The folder's name must not reveal the names of groups. */
export function folderOfPart(number: number): string {
    return `_private/${number}`;
}

/** @param number of the part; 0 for the public part */
export async function createPart(
    number: number,
    options: PageWriterOptions & { readonly output: SiteOutput },
): Promise<SitePart> {
    const { plan, output } = options;
    const part = folderOfPart(number);
    const theme =
        number === 0
            ? options.theme
            : {
                  ...options.theme,
                  part,
                  searchFolder: `${part}/search`,
                  listFolder: `${part}/pages`,
                  utilities: `${part}/utilities.css`,
              };
    return {
        plan,
        theme,
        output,
        writer: await withEngine(() => new PageWriter({ ...options, theme })),
        search: plan.features.search ? new SiteSearch(theme.searchFolder, plan.settings.searchSynonyms) : undefined,
        numbers: new Map(plan.pages.map(({ route }, number) => [route, number])),
    };
}

/**
 * The additions for the part's readers on public pages: `readers.js` requests one script for each section of the public
 * navigation.
 * @param everybodys the public part
 */
export function* readerFiles(
    { numbers, writer: { frame } }: SitePart,
    { writer, theme }: SitePart,
): Generator<WrittenFile> {
    for (const [section, route] of frame.firstPages()) {
        const { lists, searchScopes } = writer.frame;
        const list = lists.seenFrom(route, (each) => numbers.has(each));
        const scope = searchScopes.numberOf(route);
        const seen = { from: htmlFileOf(route), index: theme.searchFolder, ...list, scope };
        const text = `staticExportReaders(${JSON.stringify(theme.part)},${JSON.stringify(seen)});\n`;
        yield [`${theme.part}/beside/${section}.js`, text];
    }
}
