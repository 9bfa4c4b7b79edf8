import type { dynamic } from "@pulumi/pulumi";
import { createGate, maxConnections, systemClock } from "@pulumi-static-export/sdk/internal";
import {
    AzureTarget,
    FolderTarget,
    type PurgeInputs,
    purgeSite,
    S3Target,
    type SiteTarget,
} from "@pulumi-static-export/sdk/publish";
import { AgentJobLifecycle } from "./agent-job/lifecycle.js";
import { type GetAgentJobResult, readAgentJob } from "./agent-job/read-agent-job.js";
import { readAzureCredentials } from "./bucket-site/azure-credentials.js";
import { BundleCheckLifecycle } from "./bundle-check/lifecycle.js";
import { BucketSiteLifecycle } from "./bucket-site/lifecycle.js";
import type { BucketSiteInputs } from "./bucket-site/model.js";
import { readPurgeToken } from "./bucket-site/purge.js";
import { EarlierCopies } from "./bundle-mirror/earlier-copies.js";
import { MirrorLifecycle } from "./bundle-mirror/lifecycle.js";
import type { MirrorInputs } from "./bundle-mirror/model.js";
import { readStorageCredentials } from "./bundle-mirror/storage/storage-credentials.js";
import { Storage } from "./bundle-mirror/storage/storage.js";
import { connectAdminApi } from "./engine/connect-admin-api.js";
import { UpdateLifecycle } from "./documentation-update/lifecycle.js";
import { EngineWatch } from "./engine/engine-watch.js";
import type { JobRuntime } from "./jobs/runtime.js";
import { SavedJobs } from "./jobs/saved-jobs.js";
import { heartbeatEveryMs } from "./engine/journal/heartbeats.js";
import { journalFolder } from "./engine/journal/journal-folder.js";
import { Journal } from "./engine/journal/journal.js";
import { processEnd } from "./engine/process-end.js";
import type { OperationContext } from "./engine/operation-context.js";
import { type ImportedBundle, importBundle } from "./static-export-bundle/import-bundle.js";
import { BundleLifecycle } from "./static-export-bundle/lifecycle.js";
import { LinkTests } from "./static-export-bundle/link-tests.js";
import { ExportJobLifecycle } from "./static-export-job/lifecycle.js";

/** The connections, the journal and the concurrency limits that all lifecycles of one process share. */
export class LifecycleHost {
    readonly #engine: EngineWatch;
    readonly #journal: Journal;
    readonly #savedJobs = new SavedJobs();
    readonly #config: () => dynamic.Config;
    readonly #startGate = createGate(maxConnections);
    readonly #copyGate = createGate(MirrorLifecycle.copiesAtOnce);
    readonly #earlierCopies = new EarlierCopies();
    readonly #siteGate = createGate(BucketSiteLifecycle.sitesAtOnce);
    readonly #checkGate = createGate(BundleCheckLifecycle.checksAtOnce);
    readonly #linkTests = new LinkTests();
    readonly #agentFailures = new Map<string, Error>();
    #connection: ReturnType<typeof connectAdminApi> | undefined;

    /**
     * @param engineAddress - as Pulumi passes it to the process; without it, the engine is not watched
     * @param config - called only when a request is about to be made, so that previews and deletes need no key
     * @param report - shows a line that belongs to no resource
     */
    constructor(engineAddress: string | undefined, config: () => dynamic.Config, report: (line: string) => void) {
        this.#engine = new EngineWatch(engineAddress);
        this.#engine.start();
        this.#config = config;
        this.#journal = new Journal(journalFolder(process.env), { report });
        setInterval(() => void this.#journal.beat(), heartbeatEveryMs).unref();
        processEnd.onEnd(() => this.#journal.close());
    }

    /** Aborted when the engine is gone, or when a signal ends this process. */
    get gone(): AbortSignal {
        return this.#engine.gone;
    }

    /** Reads the settings once. All resources share one client, which reuses connections and limits their number. */
    readonly #connect = () => (this.#connection ??= connectAdminApi(this.#config(), process.env));

    staticExportBundle(context: OperationContext): BundleLifecycle {
        return new BundleLifecycle(this.#jobRuntime(context), this.#linkTests);
    }

    staticExportJob(context: OperationContext): ExportJobLifecycle {
        return new ExportJobLifecycle(this.#jobRuntime(context));
    }

    agentJob(context: OperationContext): AgentJobLifecycle {
        return new AgentJobLifecycle(this.#jobRuntime(context), this.#agentFailures);
    }

    documentationUpdate(context: OperationContext): UpdateLifecycle {
        return new UpdateLifecycle(this.#jobRuntime(context));
    }

    bundleMirror(context: OperationContext): MirrorLifecycle {
        return new MirrorLifecycle({ ...this.#storageRuntime(), ...context }, this.#copyGate, this.#earlierCopies);
    }

    bucketSite(context: OperationContext): BucketSiteLifecycle {
        const { connect, engine, clock } = this.#storageRuntime();
        const openTarget = (inputs: BucketSiteInputs) => this.#openTarget(inputs);
        const purge = (inputs: PurgeInputs, changedPaths: readonly string[], signal: AbortSignal) => {
            const credentials = readStorageCredentials(this.#config());
            const token = readPurgeToken(this.#config(), process.env);
            return purgeSite(inputs, changedPaths, { credentials, token }, signal);
        };
        return new BucketSiteLifecycle({ connect, engine, clock, openTarget, purge, ...context }, this.#siteGate);
    }

    bundleCheck(context: OperationContext): BundleCheckLifecycle {
        return new BundleCheckLifecycle({ ...this.#storageRuntime(), ...context }, this.#checkGate);
    }

    /** Reads an agent job, or waits until it is completed, archived or failed. */
    readAgentJob(
        job: { projectId: string; id: string; waitUntilDone: boolean },
        signal: AbortSignal,
    ): Promise<GetAgentJobResult> {
        return readAgentJob(this.#connect().client, job, signal);
    }

    /** Reads an export that was started elsewhere; undefined if the platform does not have it. */
    importBundle(importId: string, signal: AbortSignal): Promise<ImportedBundle | undefined> {
        return importBundle(this.#connect().client, importId, { clock: systemClock, signal });
    }

    async #openTarget({ bucket, container, folder = "", ...reached }: BucketSiteInputs): Promise<SiteTarget> {
        const { prefix = "", endpoint, region, pathStyle, encryption } = reached;
        if (container !== undefined) {
            const location = { container, prefix, endpoint };
            return AzureTarget.open(location, readAzureCredentials(this.#config()));
        }
        if (bucket === undefined) {
            return FolderTarget.open(folder);
        }
        const location = { bucket, prefix, endpoint, region, pathStyle, encryption };
        return S3Target.open(location, readStorageCredentials(this.#config()));
    }

    #jobRuntime(context: OperationContext): JobRuntime {
        return {
            ...context,
            connect: this.#connect,
            engine: this.#engine,
            journal: this.#journal,
            savedJobs: this.#savedJobs,
            startGate: this.#startGate,
            clock: systemClock,
        };
    }

    #storageRuntime() {
        return {
            connect: this.#connect,
            openStorage: (inputs: MirrorInputs) => Storage.open(inputs, readStorageCredentials(this.#config())),
            engine: this.#engine,
            journal: this.#journal,
            clock: systemClock,
        };
    }
}
