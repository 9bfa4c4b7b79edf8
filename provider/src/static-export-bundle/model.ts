import { definedOnly } from "../engine/defined-only.js";
import {
    changedExportInputs,
    digestAssets,
    type ExportInputName,
    exportInputNames,
} from "@pulumi-static-export/contract";
import type { BundleInputs } from "./check.js";

export type { BundleInputs };

/** The outputs of an export in the state. The program sees some of them. */
export const exportOutputs = [
    "jobId",
    "bundleUrl",
    "expiresAt",
    "linkLifetimeSeconds",
    "clockSkewMs",
    "sizeBytes",
    "pageCount",
    "exportedAt",
] as const;

export type Exported = Pick<BundleState, (typeof exportOutputs)[number]>;

/** The state: the inputs and outputs of the last change. */
export interface BundleState extends BundleInputs {
    bundleUrl?: string;
    /** RFC 3339, according to the platform's clock. */
    expiresAt?: string;
    /** The lifetime of the link when it was created, in seconds; absent if its expiry is unknown. */
    linkLifetimeSeconds?: number;
    /** How far the platform's clock was ahead of this machine's when the link was created, in milliseconds. */
    clockSkewMs?: number;
    sizeBytes?: number;
    pageCount?: number;
    exportedAt?: string;
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

export function isSameExport(a: BundleInputs, b: BundleInputs): boolean {
    return a.domain === b.domain && changedExportInputs(a, b).length === 0;
}
