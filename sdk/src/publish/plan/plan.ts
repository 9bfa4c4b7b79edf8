import type { Inventory } from "../records/inventory.js";
import { contentFolder, type GoneFiles, ownFolder } from "../records/site-record.js";
import { findDigestInName } from "../site/file-headers.js";

/** Raise this when the order or the choice of steps changes: a pending run with another version starts over. */
export const planVersion = 2;

/**
 * The order in which files change, so that no page that readers can reach refers to a file or a page that does not exist
 * yet: changed pages may link to new ones. Before files are overwritten, the contents that an earlier release needs are
 * copied elsewhere.
 */
export const phases = ["contents", "assets", "files", "new pages", "pages", "entry pages", "removals"] as const;
export type Phase = (typeof phases)[number];

/** One file to write or remove. */
export interface Step {
    readonly phase: Phase;
    readonly path: string;
}

/** Selects the steps that readers notice, without the steps for the records and the contents of earlier releases. */
export function stepsOfSite(steps: readonly Step[]): Step[] {
    return steps.filter(({ path }) => !path.startsWith(ownFolder));
}

/** The changes, in order. */
export interface Plan {
    readonly steps: readonly Step[];
    /** The number of initial steps that only save contents for earlier releases. */
    readonly contentSteps: number;
}

/** The entry page, and the page for unknown addresses. */
export const entryPages = new Set(["index.html", "404.html"]);

/** A page may also be stored at its address without an extension. */
const pageHeaders = '{"contentType":"text/html';

function phaseOf(path: string, headers: string, isNew: boolean): Phase {
    if (path.startsWith(contentFolder)) {
        return "contents";
    }
    if (findDigestInName(path) !== undefined) {
        return "assets";
    }
    const isPage = path.endsWith(".html") || headers.startsWith(pageHeaders);
    if (!isPage) {
        return "files";
    }
    return entryPages.has(path) ? "entry pages" : isNew ? "new pages" : "pages";
}

/**
 * Plans the steps that turn the stored files into the wanted files. The same arguments produce the same steps on every
 * machine.
 *
 * @param hasHeaders - whether the target stores headers
 */
export function planSteps(before: Inventory, after: Inventory, hasHeaders: boolean): Plan {
    const byPhase = new Map<Phase, Step[]>(phases.map((phase) => [phase, []]));
    for (const path of after.keys()) {
        const wanted = after.isSameIn(before, path, hasHeaders) ? undefined : after.get(path)!;
        if (wanted !== undefined && wanted.goneAtMs === undefined) {
            const phase = phaseOf(path, wanted.headers, !before.has(path));
            byPhase.get(phase)!.push({ phase, path });
        }
    }
    for (const path of before.keys()) {
        if (!after.has(path)) {
            byPhase.get("removals")!.push({ phase: "removals", path });
        }
    }
    const steps = phases.flatMap((phase) => byPhase.get(phase)!.sort((a, b) => (a.path < b.path ? -1 : 1)));
    return { steps, contentSteps: byPhase.get("contents")!.length };
}

/** Returns the files in storage after a run that stopped in the middle of its plan. */
export function afterPart(
    before: Inventory,
    after: Inventory,
    { steps }: Plan,
    { done, allowed }: { done: number; allowed: number },
): Inventory {
    const files = before.copy();
    steps.slice(0, allowed).forEach(({ phase, path }, index) => {
        const isDone = index < done;
        const file = phase === "removals" ? before.get(path)! : after.get(path)!;
        if (isDone && phase === "removals") {
            files.delete(path);
        } else {
            files.set(path, isDone ? file : { ...file, digest: undefined });
        }
    });
    return files;
}

/** The files that stay in addition to the files of the release. */
interface Rest {
    /** Until readers have been switched to the release. */
    readonly files: Inventory;
    /** Those of the files that are removed after the switch. */
    readonly due: readonly string[];
    /** The others that no release needs. */
    readonly gone: GoneFiles | undefined;
}

/**
 * Finds the files that earlier releases need, and files that no release needs but readers may still request.
 *
 * @param kept - the files that earlier releases need
 * @param removesAtOnce - whether this run may remove a file of the release that was live before
 */
export function planRest(
    before: Inventory,
    release: Inventory,
    kept: Inventory,
    { nowMs, graceMs }: { nowMs: number; graceMs: number },
    removesAtOnce: boolean,
): Rest {
    const files = kept.copy();
    const due: string[] = [];
    let sinceMs: number | undefined;
    for (const path of before.keys()) {
        if (release.has(path) || kept.has(path)) {
            continue;
        }
        const file = before.get(path)!;
        const { goneAtMs = nowMs } = file;
        const isDue = goneAtMs + graceMs <= nowMs && (removesAtOnce || file.goneAtMs !== undefined);
        files.set(path, { ...file, goneAtMs });
        // No reader requests our own files.
        if (isDue || path.startsWith(ownFolder)) {
            due.push(path);
        } else {
            sinceMs = Math.min(sinceMs ?? Infinity, goneAtMs);
        }
    }
    return { files, due, gone: sinceMs === undefined ? undefined : { sinceMs, graceMs } };
}

/**
 * Finds the paths where the storage has the contents that a plan needs, by digest. Excludes files that the plan
 * overwrites, unless it first copies them elsewhere.
 */
export function findSources(
    before: Inventory,
    after: Inventory,
    { steps, contentSteps }: Plan,
): { early: Map<string, string>; late: Map<string, string> } {
    const early = new Map<string, string>();
    const late = new Map<string, string>();
    const needed = new Set<string | undefined>();
    for (const { path } of before.size === 0 ? [] : steps) {
        needed.add(after.get(path)?.digest);
    }
    for (const [path, { digest }] of before) {
        if (digest === undefined || !needed.has(digest)) {
            continue;
        }
        early.set(digest, path);
        const then = after.get(path);
        if (then === undefined || then.digest === digest) {
            late.set(digest, path);
        }
    }
    for (const { path } of steps.slice(0, contentSteps)) {
        late.set(after.get(path)!.digest!, path);
    }
    return { early, late };
}
