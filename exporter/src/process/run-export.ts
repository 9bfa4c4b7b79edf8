import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type SiteWarning } from "../problems/warnings.js";
import { exportSite } from "../write/export-site.js";
import { CurrentPageWriter } from "./current-page.js";
import { toExportWarnings } from "./export-warnings.js";
import {
    type ExportRequest,
    type ExportResult,
    type FolderExportRequest,
    type FolderExportResult,
} from "./exporter.js";

/** Progress after the last page; the rest is other files and the end of the archive. */
const maxPercent = 99;

/** One job from pages to archive or folder, in this process. @param report - called with percent, 0 to 99, and pages */
export async function runExport(
    request: ExportRequest | FolderExportRequest,
    report: (progress: number, pageCount: number) => void,
): Promise<ExportResult | FolderExportResult> {
    const { workDir, warningsFile, ...rest } = request;
    const warningLines: string[] = [];
    const currentPage = new CurrentPageWriter(workDir);
    const site = {
        ...rest,
        onPage: (file: string | undefined) => currentPage.set(file),
        ...(warningsFile !== undefined && {
            onWarning: (warning: SiteWarning) => void warningLines.push(`${JSON.stringify(warning)}\n`),
        }),
        onProgress: ({ pagesDone, pagesTotal }: { pagesDone: number; pagesTotal: number }) =>
            report(maxPercent * (pagesDone / pagesTotal), pagesDone),
    };
    try {
        if ("outDir" in site) {
            const { pageCount, warnings, warningCounts } = await exportSite(site);
            return { pageCount, warnings: toExportWarnings(warnings, warningCounts) };
        }
        const archivePath = join(workDir, "bundle.tar.gz");
        const { pageCount, warnings, warningCounts, sizeBytes, sha256 } = await exportSite({ ...site, archivePath });
        return { archivePath, pageCount, sizeBytes, sha256, warnings: toExportWarnings(warnings, warningCounts) };
    } finally {
        // Also where the export failed because of them.
        if (warningsFile !== undefined) {
            writeFileSync(warningsFile, warningLines.join(""));
        }
        currentPage.close();
    }
}
