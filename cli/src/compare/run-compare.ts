import { amount } from "@pulumi-static-export/contract";
import {
    type ComparedPage,
    compareSites,
    type Comparison,
    type ComparedSite,
    SiteCollector,
} from "@pulumi-static-export/exporter/compare";
import { mkdtemp, rm, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { type ClientOptions } from "../command-line/admin-client.js";
import { withInterruption } from "../command-line/interruption.js";
import { UsageError } from "../command-line/usage-error.js";
import { reportError, failedExitCode, requestExitCode } from "../export/exit-codes.js";
import { openSite } from "../export/open-site.js";
import { createCleaner } from "../report/clean-text.js";
import { readPrivateFiles } from "@pulumi-static-export/sdk/internal";

export interface CompareOptions extends ClientOptions {
    json?: boolean;
}

/**
 * Compares two exports of a site and prints the result. Removes the unpacked files.
 *
 * @returns the exit code, which is 1 if readers lose a page without a redirect, or the target of a link
 * @throws UsageError
 */
export async function runCompare(before: string, after: string, { json, ...client }: CompareOptions): Promise<number> {
    const scratch = await mkdtemp(join(tmpdir(), "static-export-compare-"));
    const read = async (place: string, name: string, signal: AbortSignal) => {
        const { folder } = await openSite({ place, scratch: join(scratch, name), client }, signal);
        const site = await readSite(folder, signal);
        if (site.pages.size === 0) {
            throw new UsageError(
                `${place} has no exported pages (.html): compare exports of a site. static-export build exports a folder of Markdown.`,
            );
        }
        return site;
    };
    try {
        const comparison = await withInterruption(async (signal) =>
            compareSites(await read(before, "before", signal), await read(after, "after", signal)),
        );
        console.log(json ? JSON.stringify(comparison, null, 2) : describeComparison(comparison));
        return losesSomething(comparison) ? 1 : 0;
    } catch (error) {
        const exitCode = reportError(error);
        // Replaces exit code 1, which is a verdict in this command.
        return exitCode === failedExitCode ? requestExitCode : exitCode;
    } finally {
        await rm(scratch, { recursive: true, force: true });
    }
}

function losesSomething({ deadLinks, missingRedirects }: Comparison): boolean {
    return deadLinks.length > 0 || missingRedirects.length > 0;
}

/** The maximum number of lines of each kind. Use --json for a large change. */
const maxListed = 100;

/** A comparison as a list for people. */
export function describeComparison(comparison: Comparison): string {
    const { added, changed, removed, deadLinks, missingRedirects, becomePrivate, becomePublic } = comparison;
    const unredirected = new Set(missingRedirects.map(({ page }) => page));
    const lines = [
        ...list(
            "public",
            becomePublic.map((page) => `${describePage(page)}, which only certain readers could read`),
        ),
        ...list(
            "private",
            becomePrivate.map((page) => `${describePage(page)}, which everybody could read`),
        ),
        ...list("added", added.map(describePage)),
        ...list("changed", changed.map(describePage)),
        ...list(
            "removed",
            removed.map(
                (removedPage) =>
                    describePage(removedPage) +
                    (unredirected.has(removedPage.page)
                        ? ", without a redirect: readers and search engines get 404"
                        : ""),
            ),
        ),
        ...list(
            "dead link",
            deadLinks.map(({ page, href }) => `${page} leads to ${href}`),
        ),
    ];
    const opened = becomePublic.length === 0 ? "" : `${amount(becomePublic.length, "becomes", "become")} public, `;
    const closed = becomePrivate.length === 0 ? "" : `${amount(becomePrivate.length, "becomes", "become")} private, `;
    const changes = `${added.length} added, ${changed.length} changed, ${removed.length} removed`;
    const counts = `${opened}${closed}${changes}, ${amount(deadLinks.length, "new dead link", "new dead links")}`;
    return [...lines, lines.length === 0 ? "No page differs." : counts].join("\n");
}

function describePage({ page, title }: ComparedPage): string {
    return title === "" ? page : `${page} (${title})`;
}

/** Lists text from the untrusted sites, cleaned so that it cannot look like a line of the list. */
function list(kind: string, texts: readonly string[]): string[] {
    const clean = createCleaner([]);
    const rest = texts.length - maxListed;
    return [
        ...texts.slice(0, maxListed).map((text) => `${kind.padEnd(10)}${clean(text, { characters: 300 })}`),
        ...(rest > 0 ? [`${kind.padEnd(10)}${rest} more: --json lists them`] : []),
    ];
}

/**
 * Reads the unpacked site in `folder`.
 *
 * @throws BundleError when its access.json is unusable
 */
export async function readSite(folder: string, signal?: AbortSignal): Promise<ComparedSite> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));
    const site = new SiteCollector();
    for (const file of files) {
        signal?.throwIfAborted();
        site.add(file, site.needs(file) ? await readFile(join(folder, file), "utf8") : undefined);
    }
    const privateFiles = new Set<string>();
    for await (const { file } of readPrivateFiles(folder)) {
        privateFiles.add(file);
    }
    return site.finish(privateFiles);
}
