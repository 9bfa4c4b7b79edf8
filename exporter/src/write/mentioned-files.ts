import { decodeUri } from "@pulumi-static-export/contract";
import { posix } from "node:path";
import { getOrMake } from "../text/get-or-make.js";
import { copyString } from "../text/strings.js";
import { type FoundFiles, maxPageBytes } from "../read/files/found-files.js";

/** Matches files whose text may name other files. */
const textFile = /\.(?:mdx?|[cm]?[jt]sx?|css|html?|json|ya?ml|svg|xml|txt|webmanifest)$/i;
/** Matches the parts of text that may be paths. File names may contain other characters, but few do. */
const writtenPath = /[^\s"'`()<>[\]{}|,;:=?#*&\\]+/g;
/** The maximum depth of a file in a bundle. */
const maxFolders = 64;
const letterOrDigit = /[\p{L}\p{N}]/u;

/**
 * Finds the files of a site whose names occur in other files, even without a link, such as in a class name. Reads each
 * file once, so the cost does not depend on the number of files.
 */
export class MentionedFiles {
    /** Files by their paths, and by their paths without the first folders. */
    readonly #byEnd = new Map<string, string[]>();
    /**
     * The lengths of file names that the pattern matches only in part, keyed by that part: `my plan.pdf` by `plan.pdf`.
     */
    readonly #lengths = new Map<string, Set<number>>();
    readonly #byText = new Map<string, ReadonlySet<string>>();

    constructor(
        private readonly content: FoundFiles,
        private readonly files: ReadonlySet<string>,
    ) {
        for (const file of files) {
            const name = posix.basename(file);
            for (let start = 0; start < file.length; start = file.indexOf("/", start) + 1 || file.length) {
                getOrMake(this.#byEnd, file.slice(start), () => []).push(file);
            }
            const end = withoutMarks(name.match(writtenPath)?.at(-1) ?? "");
            if (end !== name) {
                getOrMake(this.#lengths, end, () => new Set()).add(name.length);
            }
        }
    }

    /** Finds the files that `texts` name, directly or through files in `followed`. */
    async namedBy(
        texts: Iterable<string>,
        followed: ReadonlySet<string>,
        yieldToEventLoop: () => Promise<void>,
    ): Promise<ReadonlySet<string>> {
        const found = new Set<string>();
        const seen = new Set<string>();
        const waiting = [...texts];
        for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
            await yieldToEventLoop();
            for (const key of [...this.#keysIn(text)].filter((each) => !seen.has(each))) {
                seen.add(key);
                const files = key.startsWith("/") ? (this.#byEnd.get(key.slice(1)) ?? []) : [key];
                const added = files.filter((file) => !found.has(file));
                added.forEach((file) => found.add(file));
                waiting.push(...added.filter((file) => followed.has(file)));
            }
        }
        return found;
    }

    /** Returns the paths that a file names. A path that begins with `/` means all files whose paths end like this. */
    #keysIn(file: string): ReadonlySet<string> {
        return getOrMake(this.#byText, file, () => {
            const keys = new Set<string>();
            const isRead = textFile.test(file) && this.content.has(file) && this.content.bytesOf(file) <= maxPageBytes;
            const text = isRead ? decoded(this.content.readText(file)) : "";
            for (const match of text.matchAll(writtenPath)) {
                const path = withoutMarks(match[0]);
                const name = path.slice(path.lastIndexOf("/") + 1);
                const end = match.index + path.length;
                const starts = [...(this.#lengths.get(name) ?? [])].map((length) => Math.max(end - length, 0));
                const longer = starts.map((start) => text.slice(start, end));
                for (const each of [path, ...longer]) {
                    const key = this.#keyOf(each, posix.dirname(file));
                    if (key !== undefined) {
                        keys.add(copyString(key));
                    }
                }
            }
            return keys;
        });
    }

    #keyOf(path: string, folder: string): string | undefined {
        if (!this.#byEnd.has(posix.basename(path))) {
            return undefined;
        }
        const places = [posix.join(path.startsWith("/") ? "" : folder, path), posix.normalize(path)];
        const place = places.map((each) => each.replace(/^\/+/, "")).find((each) => this.files.has(each));
        if (place !== undefined) {
            return place;
        }
        const parts = path.split("/").filter((part) => part !== "" && part !== ".");
        const known = parts.slice(parts.lastIndexOf("..") + 1).slice(-maxFolders);
        const end = known.join("/");
        return this.#byEnd.has(end)
            ? `/${end}`
            : known.map((_, start) => known.slice(start).join("/")).find((each) => this.files.has(each));
    }
}

function decoded(text: string): string {
    return text.replace(/(?:%[\da-f]{2})+/gi, (escaped) => decodeUri(escaped)).replaceAll("&amp;", "&");
}

/** Removes punctuation at the end of a sentence. */
function withoutMarks(path: string): string {
    let end = path.length;
    while (end > 0 && !letterOrDigit.test(path[end - 1] as string)) {
        end -= 1;
    }
    return path.slice(0, end);
}
