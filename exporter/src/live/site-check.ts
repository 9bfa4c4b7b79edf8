import { closeSync, existsSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isMissingPart } from "../plan/links/anchor-check.js";
import { type PageWork } from "../plan/site-pages.js";
import { type ExportPlan } from "../plan/site-plan.js";
import { type SiteWarning } from "../problems/warning-log.js";
import { EntryFile } from "../read/files/entry-file.js";
import { ownFolder } from "../read/files/published-names.js";
import { htmlFileOf, markdownFileOf } from "../read/files/routes.js";
import { PageCache } from "../render/body/page-cache.js";
import { type ExportSiteResult, writeSite } from "../write/write-site.js";
import { OutputFolder } from "../write/output/output-folder.js";
import { isWithin } from "../read/files/is-within.js";

/** The result of rendering every page. */
export interface CheckedSite {
    /** Each place. */
    readonly warnings: readonly SiteWarning[];
    /** Each warning once. */
    readonly kept: ExportSiteResult["warnings"];
    readonly counts: ExportSiteResult["warningCounts"];
}

/** Matches the files for programs, which list all pages. Missing pictures and pages are answered at once. */
const forPrograms = /^\.well-known\/|\.(?:txt|xml|json)$/;

/** The maximum number of warnings in a check's result. */
const maxWarnings = 10_000;

/**
 * Exports the site in the background while its author views live pages. The check finds the warnings of all pages, and
 * writes the files that depend on all pages, such as the search. The check does not write pages, which are rendered on
 * request.
 */
export class SiteCheck {
    #count = 0;
    /** The files that the last check wrote. */
    #folder: string | undefined;
    #running: Promise<unknown> = Promise.resolve();
    #warnings: readonly SiteWarning[] = [];
    #endFirst: () => void = () => undefined;
    /** Settled when the first check has ended that no change aborted. */
    readonly #first = new Promise<void>((resolve) => {
        this.#endFirst = resolve;
    });

    constructor(
        private readonly workDir: string,
        private readonly work: PageWork,
    ) {}

    /** @returns undefined if the check was aborted; ignores failures, because the failed pages show them */
    async run(plan: ExportPlan, signal: AbortSignal): Promise<CheckedSite | undefined> {
        const running = this.#running.then(() => this.#run(plan, signal));
        this.#running = running.catch(() => undefined);
        return running;
    }

    /** A file that only a check writes, such as the search and llms.txt; requests wait for the first check. */
    async fileAt(path: string): Promise<string | undefined> {
        if (path.startsWith(`${ownFolder}/`) || forPrograms.test(path)) {
            await this.#first;
        }
        const file = this.#folder && join(this.#folder, path);
        const isThere = file !== undefined && isWithin(this.#folder as string, file) && existsSync(file);
        return isThere && statSync(file).isFile() ? file : undefined;
    }

    /** The warnings about a page's links to missing headings; only a check finds these warnings. */
    missingParts(file: string): SiteWarning[] {
        return this.#warnings.filter((warning) => warning.file === file && isMissingPart(warning));
    }

    async #run(plan: ExportPlan, signal: AbortSignal): Promise<CheckedSite | undefined> {
        if (signal.aborted) {
            return undefined;
        }
        const folder = join(this.workDir, `check-${++this.#count}`);
        const output = new OutputFolder(folder);
        const stored = EntryFile.open(join(this.workDir, "cache"), "localhost", "pages");
        const cache = new PageCache(stored);
        const { pages } = plan.site;
        const live = new Set(pages.flatMap(({ route }) => [htmlFileOf(route), markdownFileOf(route)]));
        const generated = {
            write: (file: string, content: string) =>
                live.has(file) ? Promise.resolve() : output.write(file, content),
            copy: (_: string, descriptor: number) => Promise.resolve(closeSync(descriptor)),
        };
        const warnings: SiteWarning[] = [];
        const onWarning = (warning: SiteWarning) => void (warnings.length < maxWarnings && warnings.push(warning));
        const work = { ...this.work, yieldToEventLoop: createYield(signal) };
        try {
            const result = await writeSite(plan, { onWarning, privatePages: "publish" }, generated, cache, work);
            await output.finish();
            await stored.save(work.yieldToEventLoop);
            const last = this.#folder;
            this.#folder = folder;
            this.#warnings = warnings;
            this.#endFirst();
            if (last !== undefined) {
                await rm(last, { recursive: true, force: true });
            }
            return { warnings, kept: result.warnings, counts: result.warningCounts };
        } catch (error) {
            await output.settle();
            await rm(folder, { recursive: true, force: true });
            if (signal.aborted) {
                return undefined;
            }
            this.#endFirst();
            throw error;
        } finally {
            stored.close();
        }
    }
}

/** Requests of the author's browser have priority. */
function createYield(signal: AbortSignal): () => Promise<void> {
    return async () => {
        await setImmediate();
        signal.throwIfAborted();
    };
}
