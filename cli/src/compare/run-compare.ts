import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClientOptions } from "../command-line/admin-client.js";
import { withInterruption } from "../command-line/interruption.js";
import { exitCodeFor, failedExitCode, requestExitCode } from "../export/exit-codes.js";
import { type Comparison } from "../preview/comparison.js";
import { compareSites } from "./compare-sites.js";
import { describeComparison } from "./describe-comparison.js";
import { openSite } from "./open-site.js";
import { readSite } from "./read-site.js";

export interface CompareOptions extends ClientOptions {
    json?: boolean;
}

/**
 * Compares two exports of a site and prints the result. Removes everything that it unpacks.
 *
 * @returns the exit code: 1 if readers lose something: a page without a redirect, or the target of a link
 * @throws UsageError
 */
export async function runCompare(before: string, after: string, { json, ...client }: CompareOptions): Promise<number> {
    const scratch = await mkdtemp(join(tmpdir(), "static-export-compare-"));
    const read = async (place: string, name: string, signal: AbortSignal) =>
        readSite(await openSite({ place, scratch: join(scratch, name), client }, signal), signal);
    try {
        const comparison = await withInterruption(
            async (signal) => compareSites(await read(before, "before", signal), await read(after, "after", signal)),
            () => undefined,
        );
        console.log(json ? JSON.stringify(comparison, null, 2) : describeComparison(comparison));
        return losesSomething(comparison) ? 1 : 0;
    } catch (error) {
        const exitCode = exitCodeFor(error);
        if (exitCode === undefined) {
            throw error;
        }
        console.error(`error: ${(error as Error).message}`);
        // 1 is a verdict here.
        return exitCode === failedExitCode ? requestExitCode : exitCode;
    } finally {
        await rm(scratch, { recursive: true, force: true });
    }
}

function losesSomething({ deadLinks, missingRedirects }: Comparison): boolean {
    return deadLinks.length > 0 || missingRedirects.length > 0;
}
