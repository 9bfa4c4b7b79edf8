import { join } from "node:path";
import { createBundle, exportSite } from "../site/index.js";
import { CurrentPageWriter } from "./current-page.js";
import { type ExportRequest, type ExportResult } from "./exporter.js";

/** The share of a job's time that goes into pages, measured: 44 % of a first export, 24 % of one from the cache. */
const pagesPercent = 40;

/** A job's record holds so many warnings. */
const mostWarnings = 100;

/** One job from pages to archive, in this process. @param report is told percent, 0 to 99, and pages */
export async function runExport(
    request: ExportRequest,
    report: (progress: number, pageCount: number) => void,
): Promise<ExportResult> {
    const { workDir, ...site } = request;
    const outDir = join(workDir, "site");
    const archivePath = join(workDir, "bundle.tar.gz");
    const currentPage = new CurrentPageWriter(workDir);
    try {
        const { pageCount, warnings, warningCounts } = await exportSite({
            ...site,
            outDir,
            onPage: (file) => currentPage.set(file),
            onProgress: ({ pagesDone, pagesTotal }) => report(pagesPercent * (pagesDone / pagesTotal), pagesDone),
        });
        const { sizeBytes, sha256 } = await createBundle(outDir, archivePath, {
            onProgress: ({ filesDone, filesTotal }) =>
                report(pagesPercent + (99 - pagesPercent) * (filesDone / filesTotal), pageCount),
        });
        return {
            archivePath,
            pageCount,
            sizeBytes,
            sha256,
            warnings: {
                count: Object.values(warningCounts).reduce((sum, count) => sum + count, 0),
                countByKind: warningCounts,
                first: warnings.slice(0, mostWarnings).map(({ line, ...warning }) => ({
                    ...warning,
                    ...(line !== undefined && { line }),
                })),
            },
        };
    } finally {
        currentPage.close();
    }
}
