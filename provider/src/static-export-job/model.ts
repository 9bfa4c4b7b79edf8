import type { InputsOf } from "../engine/resource-inputs.js";
import { input, output, type OutputsOf } from "../engine/resource-outputs.js";
import type { exportInputs } from "../static-export-bundle/check.js";

export type ExportJobInputs = InputsOf<typeof exportInputs>;

export const exportJobOutputs = {
    domain: input<string>(),
    version: input<string | undefined>(),
    /** The export job, which may still be running. */
    jobId: output<string>(),
};

/** The state: the inputs, and the job that was started for them. */
export interface ExportJobState extends ExportJobInputs, Partial<OutputsOf<typeof exportJobOutputs>> {}
