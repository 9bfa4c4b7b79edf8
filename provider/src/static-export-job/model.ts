import type { InputsOf } from "../engine/resource-inputs.js";
import type { exportInputs } from "../static-export-bundle/check.js";

export type ExportJobInputs = InputsOf<typeof exportInputs>;

/** The state: the inputs, and the job that was started for them. */
export interface ExportJobState extends ExportJobInputs {
    jobId?: string;
}
