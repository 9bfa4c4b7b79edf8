import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import {
    findConflict,
    measureFiles,
    type Published,
    publishSite,
    type PublishSettings,
    releaseIdOf,
    type SiteTarget,
    stepsOfSite,
} from "@pulumi-static-export/sdk/publish";
import { isWithin, realPlace } from "@pulumi-static-export/exporter/is-within";
import { readBundleFacts } from "@pulumi-static-export/sdk/internal";
import { describeBytes, shellWord } from "@pulumi-static-export/contract";
import { type ClientOptions } from "../command-line/admin-client.js";
import { isUnbuilt } from "../build/find-site.js";
import { UsageError } from "../command-line/usage-error.js";
import { type CdnOptions, type Purge, readPurge } from "./cdn-options.js";
import { changeTarget, type TargetChange } from "./change-target.js";
import { defaultOwner, openTarget, readTarget, type TargetOptions } from "./open-target.js";
import { isJobId, openSite } from "../export/open-site.js";
import { createCleaner } from "../report/clean-text.js";

/** The options of `publish`, parsed. */
export interface PublishOptions extends ClientOptions, TargetOptions, CdnOptions, PublishSettings {
    allFiles: boolean;
    toRelease?: string;
    dryRun: boolean;
    json?: boolean;
}

/** How many files a dry run lists; --json lists all. */
const maxListed = 100;

/** Publishes a site, and prints the changes. Returns the exit code. @throws UsageError */
export async function runPublish(site: string | undefined, options: PublishOptions): Promise<number> {
    if ((site === undefined) === (options.toRelease === undefined)) {
        throw new UsageError("Name either a site to publish, or an earlier release with --to-release.");
    }
    const purge = readPurge(options);
    collectGarbageOften();
    if (site !== undefined) {
        assertOutside(site, options.to);
    }
    const target = await openTarget(options);
    const conflict = findConflict({ ...options, hasHeaders: target.hasHeaders });
    if (conflict !== undefined) {
        throw new UsageError(`--${conflict.setting} ${conflict.reason}.`);
    }
    if (site !== undefined && isUnbuilt(site)) {
        throw new UsageError(
            `${site} is a folder of Markdown, not a built site: run static-export build ${shellWord(site)} ` +
                "--output site --domain docs.example.com first, and publish site.",
        );
    }
    const scratch = await mkdtemp(join(tmpdir(), "static-export-publish-"));
    try {
        return await changeTarget(target, "publishing", async (change) => {
            const published = await publish(target, site ?? "", { ...options, purge }, join(scratch, "site"), change);
            return options.json
                ? JSON.stringify(report(target, published), null, 2)
                : describe(target, published, options);
        });
    } finally {
        await rm(scratch, { recursive: true, force: true });
    }
}

/**
 * Trades a little time for less memory, because this process does nothing else. By default, V8 lets its heap grow to
 * twice its content before it collects garbage: 100 MB for a site of 200,000 files.
 */
function collectGarbageOften(): void {
    setFlagsFromString("--heap-growing-percent=20");
    setFlagsFromString("--semi-space-growth-factor=1");
}

/** Refuses to publish a site into a folder inside itself: the site would contain its own copy. @throws UsageError */
function assertOutside(site: string, to: string): void {
    const place = readTarget(to);
    const folder = place.kind === "folder" ? place.folder : "";
    if (existsSync(site) && existsSync(folder)) {
        if (isWithin(realPlace(resolve(site)), realPlace(resolve(folder)))) {
            throw new UsageError(`${folder} is a part of the site: publish to a folder outside of the site.`);
        }
    }
}

function publish(
    target: SiteTarget,
    site: string,
    { purge, ...options }: PublishOptions & { purge: Purge | undefined },
    scratch: string,
    { signal, note, onProgress }: TargetChange,
): Promise<Published> {
    // An export has chosen its files.
    const isJob = !existsSync(site) && isJobId(site);
    return publishSite(target, {
        ...options,
        owner: options.owner ?? defaultOwner,
        isSharedOwner: options.owner === undefined,
        isDryRun: options.dryRun,
        releaseId: options.toRelease,
        signal,
        jobId: isJob ? site : undefined,
        purge: purge && ((paths, until) => purge(paths, until).then(() => note("purged the CDN"))),
        openSite: async (until) => {
            const { measured, onFile } = measureFiles();
            const opened = await openSite({ place: site, scratch, client: options, onFile }, until);
            if ((await readBundleFacts(opened.folder))?.domain === "localhost") {
                note(withoutDomain);
            }
            return { ...opened, measured, allFiles: options.allFiles || isJob };
        },
        log: note,
        onProgress,
    });
}

const withoutDomain =
    "The site was exported without a domain, so it has no canonical addresses and no site map: export it again with " +
    "--domain, such as --domain docs.example.com.";

function report(target: SiteTarget, { release, earlier, steps, removalDueAtMs, refused, ...done }: Published) {
    const left = new Set(refused?.paths);
    const paths = (isRemoval: boolean) =>
        stepsOfSite(steps).flatMap(({ phase, path }) =>
            (phase === "removals") === isRemoval && !left.has(path) ? path : [],
        );
    return {
        ...{ place: target.address, ...release, ...done },
        written: paths(false),
        removed: paths(true),
        notRemoved: [...left],
        removalDueAt: removalDueAtMs === undefined ? undefined : new Date(removalDueAtMs).toISOString(),
        earlierIds: earlier.map(releaseIdOf),
        earlierJobIds: earlier.flatMap(({ jobId }) => jobId ?? []),
    };
}

function describe(target: SiteTarget, published: Published, { dryRun }: PublishOptions): string {
    const { written, removed, removalDueAt, ...done } = report(target, published);
    const later = describeLater(target, removalDueAt);
    if (dryRun) {
        const would = `would write ${written.length} and remove ${removed.length} of ${done.fileCount} files`;
        return [...listPaths("write", written), ...listPaths("remove", removed), `dry run   ${would}`, ...later].join(
            "\n",
        );
    }
    const { sentFiles, sentBytes, copiedFiles } = done;
    const changes =
        written.length + removed.length === 0
            ? "nothing had to be sent"
            : `${sentFiles} sent (${describeBytes(sentBytes)}), ${copiedFiles} copied there, ${removed.length} removed`;
    const live = `live      ${releaseIdOf(published.release)} since ${done.publishedAt}`;
    const kept = done.earlierIds.length === 0 ? [] : [`kept      ${done.earlierIds.join(", ")}`];
    const files = `files     ${done.fileCount}: ${changes}`;
    return [`published ${target.address}`, files, live, ...kept, ...later].join("\n");
}

/** Says when files that no release needs will be removed, and by whom. */
export function describeLater({ address }: SiteTarget, removalDueAt: string | undefined): string[] {
    return removalDueAt === undefined
        ? []
        : [
              `later     unused files stay until ${removalDueAt}; the next publish after that removes them, or:`,
              `          static-export clean ${address}`,
          ];
}

/** Lists paths of the untrusted site, cleaned so that no path can look like another line of the list. */
export function listPaths(kind: string, paths: readonly string[]): string[] {
    const clean = createCleaner([]);
    const rest = paths.length - maxListed;
    return [
        ...paths.slice(0, maxListed).map((path) => `${kind.padEnd(10)}${clean(path, { characters: 300 })}`),
        ...(rest > 0 ? [`${kind.padEnd(10)}${rest} more: --json lists them`] : []),
    ];
}
