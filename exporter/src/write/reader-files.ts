import { htmlFileOf } from "../read/files/routes.js";
import { type WrittenFile } from "./search/site-search.js";
import { type SitePart } from "./site-part.js";

/**
 * What the readers of a part see beside pages for everybody, and find from there: one script for each section of everybody's
 * navigation, which `readers.js` asks for.
 */
export function* readerFiles(
    firstPages: ReadonlyMap<number, string>,
    { writer, theme }: SitePart,
): Generator<WrittenFile> {
    for (const [section, route] of firstPages) {
        const seen = { from: htmlFileOf(route), index: theme.searchFolder, ...writer.frame.seenFrom(route) };
        const text = `staticExportReaders(${JSON.stringify(theme.part)},${JSON.stringify(seen)});\n`;
        yield [`${theme.part}/beside/${section}.js`, text];
    }
}
