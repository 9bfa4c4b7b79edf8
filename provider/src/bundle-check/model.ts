import type { BundleCheckInputs } from "./check.js";

export type { BundleCheckInputs, MirroredCopy } from "./check.js";

export const bundleCheckOutputs = ["sha256", "sizeBytes", "fileCount", "privateFileCount", "sends"] as const;

export interface BundleCheckState extends BundleCheckInputs {
    sha256: string;
    sizeBytes: number;
    fileCount: number;
    /** Absent in states of releases that had no access.json. */
    privateFileCount?: number;
    /** Absent for bundles that do not list their contents. */
    sends?: string[];
}
