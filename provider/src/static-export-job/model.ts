import type { BundleInputs } from "../static-export-bundle/model.js";

/** The resolved inputs of the program. */
export type ExportJobInputs = Pick<BundleInputs, "domain" | "version" | "paths" | "triggers" | "__provider">;

/** The state: the inputs, and the job that was started for them. */
export interface ExportJobState extends ExportJobInputs {
    jobId?: string;
}
