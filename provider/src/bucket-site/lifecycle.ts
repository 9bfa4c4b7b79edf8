import { amount } from "@pulumi-static-export/contract";
import { join } from "node:path";
import type { dynamic } from "@pulumi/pulumi";
import { type AdminClient, type Clock, downloadBundle } from "@pulumi-static-export/sdk";
import { createGate, type Gate, throwWithoutSettings } from "@pulumi-static-export/sdk/internal";
import {
    addressOf,
    findDrift,
    measureFiles,
    type OpenedSite,
    type Published,
    publishSite,
    type PurgeInputs,
    readRecord,
    type SiteTarget,
    StorageError,
} from "@pulumi-static-export/sdk/publish";
import { servedJob } from "../bundle-mirror/storage/copy-address.js";
import { definedOnly } from "../engine/defined-only.js";
import { ResourceLifecycle } from "../engine/resource-lifecycle.js";
import { linkOfJob } from "../jobs/link-of-job.js";
import type { OperationContext } from "../engine/operation-context.js";
import { withTemporaryFolder } from "../engine/temporary-folder.js";
import { timeoutMsOf, transfer, type TransferContext } from "../engine/time-limit.js";
import { bucketSiteInputs, checkBucketSite } from "./check.js";
import { diffBucketSite } from "./diff.js";
import { type BucketSiteInputs, type BucketSiteState, placeOf, summariseChanges } from "./model.js";

/** The dependencies of a site's lifecycle. */
interface BucketSiteRuntime extends OperationContext, TransferContext {
    /** Reads the settings and returns the client. Called only when a bundle is about to be requested. */
    connect(): { client: AdminClient };
    /** Reads the credentials. Called only before a request to the storage. */
    openTarget(inputs: BucketSiteInputs): Promise<SiteTarget>;
    /** Reads the secrets of the CDN, and purges it. */
    purge(inputs: PurgeInputs, changedPaths: readonly string[], signal: AbortSignal): Promise<void>;
    clock: Clock;
}

const reportEveryMs = 10_000;
/** A state lists as many paths as people read. */
const maxDrifted = 100;

/** The lifecycle of a `BucketSite`. One instance serves all sites of the stack. */
export class BucketSiteLifecycle extends ResourceLifecycle<BucketSiteInputs, BucketSiteState> {
    /**
     * This number is limited, because each site needs disk space for an archive and its unpacked content, and memory
     * for its lists of files.
     */
    static readonly sitesAtOnce = 2;
    readonly inputs = bucketSiteInputs;
    readonly #runtime: BucketSiteRuntime;
    readonly #gate: Gate;

    /** @param gate - limits the number of sites that a process publishes at the same time */
    constructor(runtime: BucketSiteRuntime, gate = createGate(BucketSiteLifecycle.sitesAtOnce)) {
        super();
        this.#runtime = runtime;
        this.#gate = gate;
    }

    protected override validate = checkBucketSite;
    protected override compare = (olds: BucketSiteState, news: BucketSiteInputs) =>
        diffBucketSite(olds, news, this.#runtime.clock.now());
    protected idOf = placeOf;

    /** Continues after the last step of a failed or killed run, which the target has recorded. */
    protected apply(inputs: BucketSiteInputs, olds?: BucketSiteState): Promise<BucketSiteState> {
        const identity = this.#runtime.identityOf?.(inputs);
        const { project, stack, name } = identity ?? { project: "pulumi", stack: "unknown", name: "site" };
        // A renamed resource keeps its site.
        const named = inputs.owner ?? olds?.recordedOwner;
        const isSharedOwner = identity === undefined && named === undefined;
        return this.#publish(inputs, named ?? `${project}/${stack}/${name}`, isSharedOwner);
    }

    /** Reports the resource as deleted only if nothing is published at its location. */
    override async read(id: string, props: BucketSiteState): Promise<dynamic.ReadResult<BucketSiteState>> {
        const { log, signal } = this.#runtime;
        const found = await this.#withTarget(props, async (target) => {
            const { record } = await readRecord(target, signal).catch((error: unknown) => {
                if (error instanceof StorageError && error.isPlaceGone) {
                    return { record: undefined };
                }
                throw error;
            });
            const looks = record !== undefined && props.trustRecord !== true;
            return { record, drift: looks ? await findDrift(target, record, log, signal) : [] };
        });
        if (found.record === undefined) {
            return { id: "" };
        }
        const { live } = found.record;
        const { driftedPaths: _earlier, ...rest } = props;
        const drift = found.drift.length === 0 ? {} : { driftedPaths: found.drift.slice(0, maxDrifted).map(addressOf) };
        const { jobId: servedJobId = "", sha256 = "", fileCount = 0, sizeBytes = 0 } = live ?? {};
        const releasePrefix = (props.prefix ?? "") + (live?.prefix ?? "");
        return { id, props: { ...rest, ...drift, servedJobId, releasePrefix, sha256, fileCount, sizeBytes } };
    }

    /** @param isSharedOwner - whether other sites may have the owner, because the resource is unknown */
    #publish(inputs: BucketSiteInputs, owner: string, isSharedOwner: boolean): Promise<BucketSiteState> {
        const timeoutMs = timeoutMsOf(this.#runtime, inputs);
        const subject = `Site of export ${servedJob(inputs)} at ${placeOf(inputs)}`;
        const timeoutMessage =
            `${subject}: not finished within ${timeoutMs / 1000} s. ` +
            "Readers see whole pages, and the next `pulumi up` continues. Raise timeoutSeconds if publishing takes " +
            "longer.";
        return transfer(this.#runtime, this.#gate, { timeoutMs, timeoutMessage }, (signal) =>
            this.#withTarget(inputs, (target) =>
                withTemporaryFolder(subject, "bucket-site-", (folder) =>
                    this.#publishUntil(signal, inputs, { owner, isSharedOwner }, target, join(folder, "site")),
                ),
            ),
        );
    }

    async #publishUntil(
        signal: AbortSignal,
        inputs: BucketSiteInputs,
        { owner, isSharedOwner }: { owner: string; isSharedOwner: boolean },
        target: SiteTarget,
        folder: string,
    ): Promise<BucketSiteState> {
        const { log, clock } = this.#runtime;
        const { keep = 0, purge } = inputs;
        const jobId = servedJob(inputs);
        let reportedAtMs = clock.now();
        const published = await publishSite(target, {
            ...inputs,
            ...{ owner, isSharedOwner, keep, jobId, signal, log, clock },
            purge:
                purge &&
                (async (paths, until) => {
                    await this.#runtime.purge(purge, paths, until);
                    log(`${jobId}: purged the CDN`);
                }),
            openSite: () => this.#download(inputs, folder, signal),
            onProgress: ({ doneFiles, totalFiles, sentBytes }) => {
                if (clock.now() - reportedAtMs >= reportEveryMs) {
                    reportedAtMs = clock.now();
                    log(`${jobId}: ${doneFiles} of ${totalFiles} files at ${target.address}, ${sentBytes} bytes sent`);
                }
            },
        });
        const { release, sentFiles, sentBytes, copiedFiles, removedFiles } = published;
        log(
            `${jobId}: live at ${target.address} (${amount(release.fileCount, "file", "files")}: ${sentFiles} sent, ` +
                `${sentBytes} bytes; ${copiedFiles} copied, ${removedFiles} removed)`,
        );
        return { ...(definedOnly(inputs) as BucketSiteInputs), ...outputsOf(published, inputs), recordedOwner: owner };
    }

    async #download(inputs: BucketSiteInputs, folder: string, signal: AbortSignal): Promise<OpenedSite> {
        const { bundleUrl, sizeBytes } = await linkOfJob(this.#runtime.connect().client, inputs, signal);
        const { measured, onFile } = measureFiles();
        const options = { expectedSizeBytes: sizeBytes, requirePages: true, signal, onFile };
        const { sha256 } = await downloadBundle(bundleUrl, folder, options).catch(throwWithoutSettings);
        // The export has chosen its files.
        return { folder, sha256, measured, allFiles: true };
    }

    async #withTarget<T>(inputs: BucketSiteInputs, work: (target: SiteTarget) => Promise<T>): Promise<T> {
        const target = await this.#runtime.openTarget(inputs);
        try {
            return await work(target);
        } finally {
            target.close();
        }
    }
}

function outputsOf(published: Published, inputs: BucketSiteInputs) {
    const { release, earlier, changedPaths: changed, sentFiles, sentBytes, removalDueAtMs } = published;
    const addresses = changed.map(addressOf);
    return {
        servedJobId: servedJob(inputs),
        releasePrefix: (inputs.prefix ?? "") + (release.prefix ?? ""),
        sha256: release.sha256,
        fileCount: release.fileCount,
        sizeBytes: release.sizeBytes,
        uploadedFiles: sentFiles,
        uploadedBytes: sentBytes,
        changedPaths: addresses,
        changeSummary: summariseChanges(addresses),
        earlierJobIds: earlier.flatMap((each) => each.jobId ?? []),
        ...(removalDueAtMs === undefined ? {} : { removalDueAt: new Date(removalDueAtMs).toISOString() }),
    };
}
