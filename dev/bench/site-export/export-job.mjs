/** One export job as an export process of the service runs it: `node export-job.mjs <pages> <work folder> <cache folder> [<file for what it says of the export>]`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { runExport } from "../../../service/dist/export/run-export.js";

const [siteDir, workDir, cacheDir, resultFile] = process.argv.slice(2);
mkdirSync(workDir, { recursive: true });
const request = { domain: "docs.example.com", siteDir, excludedDirs: [], workDir, cacheDir };
const result = await runExport(request, () => undefined);
if (resultFile !== undefined) {
    writeFileSync(resultFile, JSON.stringify(result));
}
