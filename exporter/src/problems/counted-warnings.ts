import { type ExportWarnings } from "@pulumi-static-export/contract";

/** The warnings of an export as its job has them: with the number of all places of each kind. */
export interface CountedWarnings extends ExportWarnings {
    countByKind: Record<string, number>;
}
