import { createHash } from "node:crypto";
import { isLeftOut } from "@pulumi-static-export/contract";
import { resolveLinks } from "@pulumi-static-export/contract/resolve-links";
import { type FileState } from "../read/files/found-files.js";
import {
    isEarlierExport,
    scanFiles,
    type ScannedSite,
    sortScanned,
    type SourceFiles,
} from "../read/files/source-files.js";
import { byCodePoint } from "../read/files/sorted-files.js";
import { chunksOf } from "../text/chunks.js";
import { type KnownFiles } from "./known-files.js";
import { type PageWork } from "./site-pages.js";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { configFiles } from "../read/files/published-names.js";
import { isPageFile } from "../read/files/routes.js";

/** All files that an export depends on. */
export class SiteSources {
    #files: SourceFiles | undefined;
    #digest: string | undefined;

    constructor(private readonly scanned: ScannedSite) {}

    /** Whether the files are finished HTML. */
    get isFinished(): boolean {
        return this.scanned.isFinished;
    }

    /** The files by their use. @throws SiteError for a name that cannot be exported */
    get files(): SourceFiles {
        return (this.#files ??= sortScanned(this.scanned));
    }

    /** A digest of the names, times and places of all files, which differs after each change of a file. */
    get digest(): string {
        return (this.#digest ??= digestOf(this.scanned));
    }
}

function digestOf({ content, ...others }: ScannedSite): string {
    const digest = createHash("sha256").update(JSON.stringify(others));
    for (const files of chunksOf([...content.scanned.files], filesOfAnUpdate)) {
        digest.update(files.map(([name, { realPath, identity }]) => [name, realPath, identity].join("\0")).join("\n"));
    }
    return digest.digest("hex");
}

/** Hashing the files one at a time would take twice as long. */
const filesOfAnUpdate = 512;

/** @throws SiteError for a folder that cannot be exported */
export async function findSources(
    {
        sourceDir,
        excludedDirs = [],
        prebuilt,
    }: { readonly sourceDir: string; readonly excludedDirs?: readonly string[]; readonly prebuilt?: boolean },
    { yieldToEventLoop }: Pick<PageWork, "yieldToEventLoop">,
): Promise<SiteSources> {
    const isFinished = prebuilt ?? isFinishedSite(sourceDir, excludedDirs);
    return new SiteSources(await scanFiles(sourceDir, excludedDirs, isFinished, yieldToEventLoop));
}

/** The state of a site's sources at the start of an export. */
export class SourceState {
    #wasCurrent: boolean | undefined;

    private constructor(
        private readonly lists: string,
        private readonly files: SourceFiles,
        private readonly names: readonly string[],
        /** The states of the files with these names. */
        private readonly states: readonly FileState[],
        /**
         * The digests by which a later export finds the result of this export: of the names and contents of all files,
         * and of the sources, if no later change can have the same digest.
         */
        readonly digests: readonly string[],
    ) {}

    static async of(
        sources: SiteSources,
        known: KnownFiles,
        yieldToEventLoop: () => Promise<void>,
    ): Promise<SourceState> {
        const { files } = sources;
        const { content, problems, onlyWhenLinked, settingsBelow, hiddenSettings } = files;
        const states: FileState[] = [];
        const names = content.names().sort(byCodePoint);
        const lists = JSON.stringify({
            names,
            problems,
            onlyWhenLinked: [...onlyWhenLinked],
            settingsBelow,
            hiddenSettings,
        });
        const hash = createHash("sha256").update(lists);
        for (const name of names) {
            states.push(known.stateOf(name, content.identityOf(name), () => content.readState(name)));
            await yieldToEventLoop();
        }
        for (const some of chunksOf(states, filesOfAnUpdate)) {
            hash.update(some.map(({ digest }) => digest).join(""));
        }
        const digests = [hash.digest("hex"), ...(known.areSettled ? [sources.digest] : [])];
        return new SourceState(lists, files, names, states, digests);
    }

    /** A digest of all file names, and of all content except the content of `files`. */
    digestWithout(files: ReadonlySet<string>): string {
        const hash = createHash("sha256").update(this.lists);
        const others = this.names.flatMap((name, at) => (files.has(name) ? [] : [name, this.states[at]?.digest]));
        for (const some of chunksOf(others, filesOfAnUpdate)) {
            hash.update(some.join("\0"));
        }
        return hash.digest("hex");
    }

    /**
     * Whether all files that the export has read were unchanged when this property was first read: of the other files,
     * the export knows the content at its start. Read this property only after all files have been read.
     */
    get wasCurrent(): boolean {
        const { content } = this.files;
        return (this.#wasCurrent ??= this.names.every((file, at) => {
            return !content.mayBeRead(file) || content.currentIdentityOf(file) === this.states[at]?.identity;
        }));
    }
}

/** Whether a folder contains the output of a site's builder: `index.html`, no Markdown, and no settings of a site. */
function isFinishedSite(sourceDir: string, excludedDirs: readonly string[]): boolean {
    const isFile = (name: string) => statSync(join(sourceDir, name), { throwIfNoEntry: false })?.isFile() === true;
    return isFile("index.html") && !configFiles.some(isFile) && !hasMarkdown(resolveLinks(sourceDir), excludedDirs);
}

function hasMarkdown(root: string, excludedDirs: readonly string[]): boolean {
    const visit = (folder: string): boolean =>
        readdirSync(join(root, folder), { withFileTypes: true }).some((entry) => {
            const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
            if (isLeftOut(path) || excludedDirs.includes(join(root, path))) {
                return false;
            }
            return entry.isDirectory() ? !isEarlierExport(join(root, path)) && visit(path) : isPageFile(path);
        });
    return visit("");
}
