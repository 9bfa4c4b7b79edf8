/** One export job as the service runs it: `node export-foreign.mjs <site> <work folder> <cache folder> <result file>`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { runExport } from "../../../service/dist/export/run-export.js";

const [siteDir, workDir, cacheDir, resultFile] = process.argv.slice(2);
mkdirSync(workDir, { recursive: true });
const request = { domain: "docs.example.com", siteDir, excludedDirs: [], workDir, cacheDir };
writeFileSync(resultFile, JSON.stringify(await runExport(request, () => undefined)));
