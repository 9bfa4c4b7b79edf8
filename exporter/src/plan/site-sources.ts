import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { type OtherSettings, filesOfBuilder, readOtherSettings } from "../read/builders/other-builders.js";
import { type FileState } from "../read/files/found-files.js";
import { configFiles } from "../read/files/published-names.js";
import { type KnownFiles } from "./known-files.js";
import { isFinishedSite } from "../read/files/finished-site.js";
import { scanFinishedSite, scanSite, type SourceFiles } from "../read/files/source-files.js";
import { byCodePoint } from "../read/files/sorted-files.js";
import { type PageWork } from "./site-pages.js";

/** All files, in a site's folder and around it, that an export depends on. */
export interface SiteSources {
    readonly files: SourceFiles;
    /** The settings of another builder, if the site has no `docs.json`. */
    readonly others: OtherSettings | undefined;
    /** Whether the files are finished HTML. */
    readonly isFinished: boolean;
}

/** @throws SiteError for a folder or a name that cannot be exported */
export async function findSources(
    {
        sourceDir,
        excludedDirs = [],
        prebuilt,
    }: { readonly sourceDir: string; readonly excludedDirs?: readonly string[]; readonly prebuilt?: boolean },
    { yieldToEventLoop, onPage }: Pick<PageWork, "yieldToEventLoop" | "onPage">,
): Promise<SiteSources> {
    if (prebuilt ?? isFinishedSite(sourceDir, excludedDirs)) {
        const files = await scanFinishedSite(sourceDir, excludedDirs, yieldToEventLoop);
        return { files, others: undefined, isFinished: true };
    }
    const files = await scanSite(sourceDir, excludedDirs, yieldToEventLoop);
    const isConfigured = configFiles.some((file) => files.content.has(file));
    const others = isConfigured ? undefined : await readOtherSettings(await realpath(sourceDir), files, onPage);
    return { files: others === undefined ? files : filesOfBuilder(files, others), others, isFinished: false };
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
        /** A digest of the names and contents of all files, and of the settings of another builder. */
        readonly digest: string,
    ) {}

    static async of(
        { files, others }: SiteSources,
        known: KnownFiles,
        yieldToEventLoop: () => Promise<void>,
    ): Promise<SourceState> {
        const { content, problems, onlyWhenLinked, settingsBelow } = files;
        const states: FileState[] = [];
        const names = content.names().sort(byCodePoint);
        const lists = JSON.stringify({
            names,
            problems,
            onlyWhenLinked: [...onlyWhenLinked],
            settingsBelow,
            others: others && { ...others, excluded: [...others.excluded] },
        });
        const hash = createHash("sha256").update(lists);
        for (const name of names) {
            const state = known.stateOf(name, content.identityOf(name), () => content.readState(name));
            states.push(state);
            hash.update(state.digest);
            await yieldToEventLoop();
        }
        return new SourceState(lists, files, names, states, hash.digest("hex"));
    }

    /** A digest of all file names, and of all content except the content of `files`. */
    digestWithout(files: ReadonlySet<string>): string {
        const hash = createHash("sha256").update(this.lists);
        for (const [at, name] of this.names.entries()) {
            if (!files.has(name)) {
                hash.update(name).update(this.states[at]?.digest ?? "");
            }
        }
        return hash.digest("hex");
    }

    /**
     * Whether all files were unchanged when this property was first read. Read this property only after all files have
     * been read.
     */
    get wasCurrent(): boolean {
        return (this.#wasCurrent ??= this.names.every((file, at) => {
            return this.files.content.currentIdentityOf(file) === this.states[at]?.identity;
        }));
    }
}
