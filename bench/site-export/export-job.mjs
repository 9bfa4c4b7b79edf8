/** One export job as the service's worker runs it: `node export-job.mjs <pages> <work folder> <cache folder>`. */
import { mkdirSync } from "node:fs";
import { MessageChannel } from "node:worker_threads";
import runExport from "../../service/dist/export/export-worker.js";

const [siteDir, workDir, cacheDir] = process.argv.slice(2);
mkdirSync(workDir, { recursive: true });
const { port1, port2 } = new MessageChannel();
try {
    await runExport({ request: { domain: "docs.example.com", siteDir, workDir, cacheDir }, port: port2 });
} finally {
    port1.close();
}
