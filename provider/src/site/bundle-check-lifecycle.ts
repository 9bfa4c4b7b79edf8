import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { dynamic } from "@pulumi/pulumi";
import { type AdminClient, downloadBundle } from "@pulumi-static-export/sdk";
import { checkInputs, exportJobId, matching, positiveInteger } from "../check-inputs.js";

export interface BundleCheckInputs {
    jobId: string;
    expectedSha256?: string;
    maxBytes?: number;
    maxFiles?: number;
    /** The serialised provider, which Pulumi adds. */
    __provider?: string;
}

export interface BundleCheckState extends BundleCheckInputs {
    sha256: string;
    sizeBytes: number;
    fileCount: number;
}

export interface BundleCheckRuntime {
    /** Reads the settings and gives the client. Called only before a bundle is asked for. */
    connect(): { client: AdminClient };
}

const rules = {
    jobId: exportJobId,
    expectedSha256: matching(/^[\da-f]{64}$/i, "a SHA-256 digest of 64 hexadecimal digits"),
    maxBytes: positiveInteger,
    maxFiles: positiveInteger,
};

/** The lifecycle of a `BundleCheck`. */
export class BundleCheckLifecycle {
    readonly #runtime: BundleCheckRuntime;

    constructor(runtime: BundleCheckRuntime) {
        this.#runtime = runtime;
    }

    check(_olds: BundleCheckInputs, news: BundleCheckInputs): Promise<dynamic.CheckResult<BundleCheckInputs>> {
        const failures = checkInputs({ ...news }, rules, { jobId: "the export job whose bundle is examined" });
        return Promise.resolve({ inputs: news, failures });
    }

    /** Follows the export: its link may be renewed without another check. */
    diff(_id: string, olds: BundleCheckState, news: BundleCheckInputs): Promise<dynamic.DiffResult> {
        const judgedBy = ["jobId", "expectedSha256", "maxBytes", "maxFiles"] as const;
        const changes = judgedBy.some((input) => olds[input] !== news[input]);
        return Promise.resolve({ changes });
    }

    async create(inputs: BundleCheckInputs): Promise<dynamic.CreateResult<BundleCheckState>> {
        return { id: inputs.jobId, outs: await this.#inspect(inputs) };
    }

    read(id: string, props: BundleCheckState): Promise<dynamic.ReadResult<BundleCheckState>> {
        return Promise.resolve({ id, props });
    }

    async update(
        _id: string,
        _olds: BundleCheckState,
        news: BundleCheckInputs,
    ): Promise<dynamic.UpdateResult<BundleCheckState>> {
        return { outs: await this.#inspect(news) };
    }

    delete(): Promise<void> {
        return Promise.resolve();
    }

    /** Fetches and unpacks the bundle as a deployment does, into a folder that is removed again. */
    async #inspect(inputs: BundleCheckInputs): Promise<BundleCheckState> {
        const { jobId, expectedSha256, maxBytes, maxFiles } = inputs;
        const bundle = await this.#runtime.connect().client.staticExports.createBundle(jobId);
        const folder = await mkdtemp(join(tmpdir(), "bundle-check-"));
        try {
            const { sha256, sizeBytes, fileCount } = await downloadBundle(bundle.bundleUrl, join(folder, "site"), {
                expectedSha256,
                maxBytes,
                maxFiles,
                expectedSizeBytes: bundle.sizeBytes,
            });
            return { ...inputs, sha256, sizeBytes, fileCount };
        } finally {
            await rm(folder, { recursive: true, force: true });
        }
    }
}
