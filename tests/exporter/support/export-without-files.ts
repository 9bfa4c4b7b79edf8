import { openSync } from "node:fs";
import { ExportProcess } from "../../../exporter/src/process/export-process.js";
import { LiveSiteProcess } from "../../../exporter/src/process/live-site-process.js";

/** Opens files until no more can be opened, then exports or opens a site twice, and prints why that fails. */
const [kind, folder = ""] = process.argv.slice(2);
const limits = { memoryMegabytes: 256, diskMegabytes: 100, jobTimeoutMs: 60_000, pageTimeoutMs: 60_000 };
const request = { domain: "docs.example.com", sourceDir: folder, excludedDirs: [], workDir: folder, cacheDir: folder };
try {
    for (;;) {
        openSync("/dev/null", "r");
    }
} catch {
    // The limit is reached.
}
const site = new LiveSiteProcess(folder, folder, limits);
const exports = new ExportProcess(limits);
for (let attempt = 1; attempt <= 2; attempt += 1) {
    const control = { signal: new AbortController().signal, onProgress: () => undefined };
    const result = kind === "live" ? site.open() : exports.run(request, control);
    await result.then(
        () => console.log("done"),
        (error: unknown) => console.log((error as Error).message),
    );
}
