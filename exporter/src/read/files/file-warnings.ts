import { type SiteWarning } from "../../problems/warning-log.js";
import { type FoundFiles } from "./found-files.js";
import { htmlFileOf } from "./routes.js";
import { type SortedFiles } from "./sorted-files.js";
import { lineAt } from "../../text/strings.js";

/** Warnings about files that are published, but that not every system can store or show. */
export function warningsOfFiles({ assets, pages, onlyWhenLinked }: SortedFiles, content: FoundFiles): SiteWarning[] {
    const published: [name: string, file: string][] = [
        ...assets.filter((file) => !onlyWhenLinked.has(file)).map((file): [string, string] => [file, file]),
        ...[...pages].map(([route, file]): [string, string] => [htmlFileOf(route), file]),
    ];
    const reasons: [file: string, reason: string][] = [
        ...warningsOfNames(published),
        ...[...assets, ...pages.values()]
            .filter((file) => isPointer(file, content))
            .map((file): [string, string] => [file, pointer]),
    ];
    return reasons.map(([file, reason]) => ({ kind: "file", file, line: undefined, reason }));
}

/** Names that are the same on a disk that ignores case, and names that Windows refuses. */
function* warningsOfNames(published: readonly (readonly [name: string, file: string])[]): Generator<[string, string]> {
    const seen = new Map<string, readonly [name: string, file: string]>();
    for (const [name, file] of published) {
        const lower = name.toLowerCase();
        const other = seen.get(lower);
        if (other === undefined) {
            seen.set(lower, [name, file]);
        } else if (other[0] !== name) {
            const cause = `its name differs from ${other[1]} only in case`;
            yield [file, `${cause}, so macOS and Windows store only one of the two: rename it`];
        }
        if (refusedByWindows.test(name)) {
            yield [file, "Windows cannot store a file with this name: rename it"];
        }
    }
}

/** Paths in which a name is that of a device, with any ending, or has a character or an end that Windows refuses. */
const refusedByWindows = /(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d)(?:[./]|$)|[<>:"|?*]|[. ](?:\/|$)/i;

const pointer =
    "this is a pointer of Git LFS instead of the file: run git lfs pull before the export, " +
    "or let the checkout fetch LFS files";

/** The sizes between which all pointers are. */
const [minPointerBytes, maxPointerBytes] = [100, 200];

function isPointer(file: string, content: FoundFiles): boolean {
    const bytes = content.bytesOf(file);
    return (
        bytes >= minPointerBytes &&
        bytes <= maxPointerBytes &&
        content.readText(file).startsWith("version https://git-lfs.github.com/spec/")
    );
}

/** The first place of a text that is not in an encoding that exports read. */
export function encodingProblem(
    file: string,
    text: string,
    content: FoundFiles,
): { readonly line: number; readonly reason: string } | undefined {
    const at = text.indexOf("\uFFFD");
    const reason = "the file is not UTF-8, so its letters are shown as \uFFFD: save it as UTF-8";
    return at === -1 || content.isDecodable(file) ? undefined : { line: lineAt(text, at), reason };
}
