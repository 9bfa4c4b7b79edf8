import { type DescribedFailure } from "./describe-failure.js";
import { type ExportResult, type FolderExportResult } from "./exporter.js";

/** What an export process tells the service about its job. */
export type ExportProcessMessage =
    | { kind: "progress"; progress: number; pageCount: number }
    | { kind: "result"; result: ExportResult | FolderExportResult }
    | ({ kind: "failure" } & DescribedFailure);
