/** One export job as an export process of the service runs it: `node export-job.mjs <pages> <work folder> <cache folder>`. */
import { mkdirSync } from "node:fs";
import { runExport } from "../../../service/dist/export/run-export.js";

const [siteDir, workDir, cacheDir] = process.argv.slice(2);
mkdirSync(workDir, { recursive: true });
const request = { domain: "docs.example.com", siteDir, excludedDirs: [], workDir, cacheDir };
await runExport(request, () => undefined);
