import { type DescribedFailure } from "./describe-failure.js";
import { type ExportResult, type FolderExportResult } from "./exporter.js";

/** The messages of an export process about its job. */
export type ExportProcessMessage =
    | { kind: "progress"; progress: number; pageCount: number }
    | { kind: "result"; result: ExportResult | FolderExportResult }
    | ({ kind: "failure" } & DescribedFailure);
