import { definedOnly } from "../engine/defined-only.js";
import { input, output, outputNames, type OutputsOf, secret } from "../engine/resource-outputs.js";
import { digestAssets, type ExportInputName, exportInputNames } from "@pulumi-static-export/contract";
import type { BundleInputs } from "./check.js";

export type { BundleInputs };

/** The outputs of an export. */
export const bundleOutputs = {
    domain: input<string>(),
    version: input<string | undefined>(),
    /** The export job that created the bundle. */
    jobId: output<string>(),
    /**
     * Presigned link to the bundle. Secret, because it gives access to the site. Fetch the bundle without the API key.
     */
    bundleUrl: secret<string>(),
    /**
     * When the link expires (RFC 3339). If the link may be signed with temporary credentials, this is an hour after it
     * was received.
     */
    expiresAt: output<string | undefined>(),
    /** Size of the archive in bytes, if the API reports it. */
    sizeBytes: output<number | undefined>(),
    /** Number of pages in the export, if the API reports it. */
    pageCount: output<number | undefined>(),
    /** When the export was completed, RFC 3339. */
    exportedAt: output<string>(),
};

/** The outputs of an export in the state. The last two are not outputs of the resource. */
export const storedOutputs = [...outputNames(bundleOutputs), "linkLifetimeSeconds", "clockSkewMs"] as const;

export type Exported = Partial<OutputsOf<typeof bundleOutputs>> & {
    /** The lifetime of the link when it was created, in seconds; absent if its expiry is unknown. */
    linkLifetimeSeconds?: number;
    /** How far the platform's clock was ahead of this machine's when the link was created, in milliseconds. */
    clockSkewMs?: number;
};

/** The state: the inputs and outputs of the last change. */
export interface BundleState extends BundleInputs, Exported {
    /** The job of this change, until it has a bundle: the next update resumes it. */
    pendingJobId?: string;
}

/** Selects the inputs that determine the exported content: a change of any other input starts no job. */
export function exportOf(inputs: BundleInputs): Pick<BundleInputs, "domain" | ExportInputName> {
    const named = Object.fromEntries(exportInputNames.map((name) => [name, inputs[name]]));
    return { domain: inputs.domain, ...definedOnly(named) };
}

/**
 * Returns the inputs that determine the exported content, for a key: without file paths, which may differ between
 * machines.
 */
export function exportKeyOf(inputs: BundleInputs): unknown {
    return digestAssets(exportOf(inputs));
}
