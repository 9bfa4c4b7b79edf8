import { input, output, type OutputsOf } from "../engine/resource-outputs.js";
import type { BundleCheckInputs } from "./check.js";

export type { BundleCheckInputs, MirroredCopy } from "./check.js";

export const bundleCheckOutputs = {
    jobId: input<string>(),
    /** SHA-256 of the bundle in hexadecimal. */
    sha256: output<string>(),
    /** Size of the archive in bytes. */
    sizeBytes: output<number>(),
    /** Number of files in the bundle. */
    fileCount: output<number>(),
    /** Number of files that only certain readers may see. */
    privateFileCount: output<number | undefined>(),
    /**
     * The data that the pages send out of the deployment, as listed in the bundle, such as "page views to
     * plausible.example.com".
     */
    sends: output<string[] | undefined>(),
};

export interface BundleCheckState extends BundleCheckInputs, OutputsOf<typeof bundleCheckOutputs> {}
