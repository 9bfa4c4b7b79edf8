import { join } from "node:path";
import { exportBundle } from "../site/export-site.js";
import { CurrentPageWriter } from "./current-page.js";
import { toExportWarnings } from "./export-warnings.js";
import { type ExportRequest, type ExportResult } from "./exporter.js";

/** Progress after the last page; the rest is other files and the end of the archive. */
const maxPercent = 99;

/** One job from pages to archive, in this process. @param report - called with percent, 0 to 99, and pages */
export async function runExport(
    request: ExportRequest,
    report: (progress: number, pageCount: number) => void,
): Promise<ExportResult> {
    const { workDir, ...site } = request;
    const archivePath = join(workDir, "bundle.tar.gz");
    const currentPage = new CurrentPageWriter(workDir);
    try {
        const { pageCount, warnings, warningCounts, sizeBytes, sha256 } = await exportBundle({
            ...site,
            archivePath,
            onPage: (file) => currentPage.set(file),
            onProgress: ({ pagesDone, pagesTotal }) => report(maxPercent * (pagesDone / pagesTotal), pagesDone),
        });
        return {
            archivePath,
            pageCount,
            sizeBytes,
            sha256,
            warnings: toExportWarnings(warnings, warningCounts),
        };
    } finally {
        currentPage.close();
    }
}
