import { join } from "node:path";
import { describeOutbound } from "@pulumi-static-export/contract";
import { BundleError, downloadBundle } from "@pulumi-static-export/sdk";
import {
    createGate,
    type Gate,
    readBundleFacts,
    readPrivateFiles,
    throwWithAdvice,
} from "@pulumi-static-export/sdk/internal";
import { ResourceLifecycle } from "../engine/resource-lifecycle.js";
import { linkOfJob } from "../jobs/link-of-job.js";
import { timeoutMsOf, transfer } from "../engine/time-limit.js";
import { maxUrlExpirySeconds } from "../bundle-mirror/check.js";
import type { MirrorRuntime } from "../bundle-mirror/lifecycle.js";
import { type MirrorInputs } from "../bundle-mirror/model.js";
import { addressOf, keyOf } from "../bundle-mirror/storage/copy-address.js";
import { bundleCheckInputs, checkBundleCheck } from "./check.js";
import type { BundleCheckInputs, BundleCheckState, MirroredCopy } from "./model.js";
import { withTemporaryFolder } from "../engine/temporary-folder.js";

/** The dependencies of a check's lifecycle. */
export type BundleCheckRuntime = Pick<
    MirrorRuntime,
    "connect" | "openStorage" | "engine" | "clock" | "signal" | "timeoutSeconds"
>;

interface Link {
    url: string;
    sizeBytes?: number | undefined;
}

/** The lifecycle of a `BundleCheck`. One instance serves all checks of the stack. */
export class BundleCheckLifecycle extends ResourceLifecycle<BundleCheckInputs, BundleCheckState> {
    /** This number is limited, because each check needs disk space for an archive and its unpacked content. */
    static readonly checksAtOnce = 2;
    readonly inputs = bundleCheckInputs;
    readonly #runtime: BundleCheckRuntime;
    readonly #gate: Gate;

    /** @param gate - limits the checks of a process */
    constructor(runtime: BundleCheckRuntime, gate = createGate(BundleCheckLifecycle.checksAtOnce)) {
        super();
        this.#runtime = runtime;
        this.#gate = gate;
    }

    protected override validate = checkBundleCheck;
    protected idOf = ({ jobId }: BundleCheckInputs) => jobId;

    protected apply(inputs: BundleCheckInputs): Promise<BundleCheckState> {
        const timeoutMs = timeoutMsOf(this.#runtime, inputs);
        const timeoutMessage =
            `Check of export ${inputs.jobId}: not finished within ${timeoutMs / 1000} s. Nothing was left behind. ` +
            "Check the network connection to the bundle's storage, or raise timeoutSeconds, and run `pulumi up` again.";
        return transfer(this.#runtime, this.#gate, { timeoutMs, timeoutMessage }, (signal) =>
            this.#inspectUntil(signal, inputs, timeoutMs),
        );
    }

    async #inspectUntil(signal: AbortSignal, inputs: BundleCheckInputs, timeoutMs: number): Promise<BundleCheckState> {
        const { jobId, mirror } = inputs;
        const measure =
            mirror === undefined
                ? await unpack(await this.#platformLink(jobId, signal), inputs, signal)
                : await this.#unpackCopy({ ...inputs, mirror }, timeoutMs, signal);
        if (measure.privateFileCount > 0 && !inputs.access) {
            throw openedToAll(mirror?.pin ?? jobId, measure.privateFileCount);
        }
        return { ...inputs, ...measure };
    }

    async #platformLink(jobId: string, signal: AbortSignal): Promise<Link> {
        const { bundleUrl, sizeBytes } = await linkOfJob(this.#runtime.connect().client, { jobId }, signal);
        return { url: bundleUrl, sizeBytes };
    }

    /** Presigns a separate URL, because this machine may be unable to reach the URL that the pods use. */
    async #unpackCopy(
        inputs: BundleCheckInputs & { mirror: MirroredCopy },
        lifetimeMs: number,
        signal: AbortSignal,
    ): Promise<Measure> {
        const { sha256, ...place } = inputs.mirror;
        const copy: MirrorInputs = { ...place, jobId: inputs.jobId };
        const storage = await this.#runtime.openStorage(copy);
        try {
            const lifetimeSeconds = Math.min(Math.ceil(lifetimeMs / 1000), maxUrlExpirySeconds);
            const link = await storage.presign(keyOf(copy), lifetimeSeconds, this.#runtime.clock.now());
            return await unpack(link, { ...inputs, expectedSha256: inputs.expectedSha256 ?? sha256 }, signal);
        } catch (error) {
            throw error instanceof BundleError ? refusedCopy(error, copy) : error;
        } finally {
            storage.close();
        }
    }
}

type Measure = Required<Pick<BundleCheckState, "sha256" | "sizeBytes" | "fileCount" | "privateFileCount">> &
    Pick<BundleCheckState, "sends">;

/** Downloads and unpacks the bundle as a deployment does, into a temporary folder. */
function unpack(link: Link, inputs: BundleCheckInputs, signal: AbortSignal): Promise<Measure> {
    const { expectedSha256, maxBytes, maxArchiveBytes, maxFiles, refuseLinks } = inputs;
    return withTemporaryFolder(`Check of export ${inputs.jobId}`, "bundle-check-", async (folder) => {
        const site = join(folder, "site");
        const { sha256, sizeBytes, fileCount } = await downloadBundle(link.url, site, {
            ...{ expectedSha256, maxBytes, maxArchiveBytes, maxFiles, refuseLinks, requirePages: true, signal },
            expectedSizeBytes: link.sizeBytes,
        }).catch(nameLimits);
        const privateFileCount = await countPrivateFiles(site, signal);
        const facts = await readBundleFacts(site);
        return { sha256, sizeBytes, fileCount, privateFileCount, ...(facts && { sends: describeOutbound(facts) }) };
    });
}

/** The limits of a `DocumentationSite` come from the values of its chart. */
const nameLimits = throwWithAdvice({
    "too-many-bytes": raise("maxBytes or maxArchiveBytes", "siteMiB or fetch.limits.bundleMiB"),
    "too-many-files": raise("maxFiles", "files"),
});

function raise(input: string, value: string): string {
    const ofChart = `In a DocumentationSite, raise the chart's fetch.limits.${value}.`;
    return `If the site really is that large, raise ${input}. ${ofChart}`;
}

async function countPrivateFiles(site: string, signal: AbortSignal): Promise<number> {
    const files = readPrivateFiles(site);
    let count = 0;
    while (!(await files.next()).done) {
        signal.throwIfAborted();
        count += 1;
    }
    return count;
}

function openedToAll(jobId: string, privateFileCount: number): Error {
    return new Error(
        `Check of export ${jobId}: not everybody may read ${privateFileCount} of its files (see its access.json), and ` +
            "this deployment would show them to everybody. Set access of the DocumentationSite, or access: true of a " +
            "BundleCheck whose deployment enforces access.json. Or export without --access, which leaves these " +
            "pages out.",
    );
}

/** A mirror never replaces a complete copy, so the user has to delete it. */
function refusedCopy({ message }: BundleError, copy: MirrorInputs): Error {
    return new Error(
        `${message} The refused bundle is the mirror's copy at ${addressOf(copy)}. If the export itself is intact, ` +
            "delete that object and run `pulumi up --refresh` to copy it again.",
    );
}
