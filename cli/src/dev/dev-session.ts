import { type LiveCalls, type LiveSiteProcess, type SiteWarning } from "@pulumi-static-export/exporter";
import { describeExportWarning } from "@pulumi-static-export/sdk/internal";
import { describeWarnings } from "../export/describe-warnings.js";

interface DevSessionOptions {
    readonly site: LiveSiteProcess;
    /** Sends the pages' states to all browsers. */
    readonly update: (isOnAll: boolean) => Promise<void>;
    readonly print: (line: string) => void;
    /** Milliseconds of a monotonic clock. */
    readonly nowMs: () => number;
}

/** All pages are rendered after this time without changes, or later if the last rendering took long. */
const checkDelayMs = 400;

/** How many new warnings are printed one by one. */
const maxNew = 20;

type Change = LiveCalls["change"]["result"];

/** An author's session: updates browsers when files change, and prints warnings. */
export class DevSession {
    /** The warnings that were printed, or counted in the first summary. */
    #known: ReadonlySet<string> | undefined;
    #timer: NodeJS.Timeout | undefined;
    #lastCheckMs = 0;
    #problem: string | undefined;
    #changes: Promise<void> = Promise.resolve();
    #isClosed = false;

    constructor(private readonly options: DevSessionOptions) {}

    /** @returns the number of pages */
    async open(): Promise<number> {
        const { pageCount, problem } = await this.options.site.open();
        this.#printProblem(problem);
        this.#checkLater();
        return pageCount;
    }

    /** @param paths real paths of files that were written, created or removed */
    changed(paths: readonly string[]): Promise<void> {
        this.#changes = this.#changes.then(() => this.#change(paths)).catch((error: Error) => this.#fail(error));
        return this.#changes;
    }

    close(): void {
        this.#isClosed = true;
        clearTimeout(this.#timer);
    }

    async #change(paths: readonly string[]): Promise<void> {
        const { site, update, print, nowMs } = this.options;
        const startedMs = nowMs();
        const change = await site.call("change", paths);
        if (change.kind === "nothing") {
            return;
        }
        await update(change.isOnAll === true);
        this.#printProblem(change.problem);
        if (change.problem === undefined) {
            print(`${describeChange(change)} in ${Math.round(nowMs() - startedMs)} ms`);
        }
        for (const { file, warnings } of change.pages) {
            this.#printNew(warnings, file);
        }
        this.#checkLater();
    }

    #checkLater(): void {
        clearTimeout(this.#timer);
        if (!this.#isClosed) {
            this.#timer = setTimeout(() => void this.#check(), Math.max(checkDelayMs, this.#lastCheckMs / 2));
        }
    }

    async #check(): Promise<void> {
        const { site, update, print, nowMs } = this.options;
        const startedMs = nowMs();
        try {
            const checked = await site.call("check");
            if (checked === undefined || this.#isClosed) {
                return;
            }
            this.#lastCheckMs = nowMs() - startedMs;
            const { warnings, summary } = checked;
            if (this.#known === undefined) {
                const isClean = summary.count === 0;
                print(isClean ? "No warnings on any page." : describeWarnings(summary).join("\n"));
            } else {
                this.#printNew(warnings);
            }
            this.#known = new Set(warnings.map(keyOf));
            await update(false);
        } catch (error) {
            this.#fail(error as Error);
        }
    }

    /** @param file the file that the warnings are about; undefined for warnings of the whole site */
    #printNew(warnings: readonly SiteWarning[], file?: string): void {
        const { print } = this.options;
        const known = this.#known;
        if (known === undefined) {
            return;
        }
        const added = warnings.filter((warning) => !known.has(keyOf(warning)));
        added.slice(0, maxNew).forEach((warning) => print(`warning: ${describe(warning)}`));
        if (added.length > maxNew) {
            print(`… and ${added.length - maxNew} more new warnings`);
        }
        const now = new Set(warnings.map(keyOf));
        const isGone = (key: string) => (file === undefined || key.startsWith(`${file}\0`)) && !now.has(key);
        const gone = [...known].filter(isGone);
        if (gone.length > 0 && file === undefined) {
            print(`${gone.length} ${gone.length === 1 ? "warning is" : "warnings are"} gone; ${now.size} left`);
        }
        this.#known = new Set([...known, ...added.map(keyOf)]);
    }

    #printProblem(problem: string | undefined): void {
        if (problem !== this.#problem && problem !== undefined) {
            this.options.print(`error: ${problem}`);
        }
        this.#problem = problem;
    }

    #fail({ message }: Error): void {
        if (!this.#isClosed) {
            this.#printProblem(message);
        }
    }
}

function describeChange({ kind, pages, pageCount }: Change): string {
    const [first] = pages;
    if (kind === "site") {
        return `site read again, ${pageCount} ${pageCount === 1 ? "page" : "pages"},`;
    }
    return first === undefined
        ? "updated pages"
        : `updated ${first.file}${pages.length > 1 ? ` and ${pages.length - 1} more` : ""}`;
}

function describe({ line, ...warning }: SiteWarning): string {
    return describeExportWarning({ ...warning, ...(line !== undefined && { line }) });
}

/** Excludes the line number, which changes with every line that is added above. */
function keyOf({ file, kind, reason }: SiteWarning): string {
    return `${file}\0${kind}\0${reason}`;
}
