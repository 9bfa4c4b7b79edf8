/**
 * Measures the time of a status request and the throughput of workers under load: for the default service, and for a
 * service of several processes. See ../README.md for the model and the figures.
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { measureManyClients, measureManyJobs, measureWorkers } from "./clustered-parts.js";
import { measurePageCaches } from "./page-caches.js";
import { measureOneProcess } from "./one-process.js";

const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
        pollers: { type: "string", default: "200" },
        downloads: { type: "string", default: "20" },
        seconds: { type: "string", default: "30" },
        pages: { type: "string", default: "1000" },
        /** How often each poller of the default service sends a request. */
        "interval-ms": { type: "string", default: "1000" },
        /** The compiled `static-export.js` of an earlier release, with which the default service is compared. */
        earlier: { type: "string" },
    },
});
const seconds = Number(values.seconds);
const parts: Record<string, () => Promise<boolean>> = {
    "one-process": () =>
        measureOneProcess({
            pollers: Number(values.pollers),
            downloads: Number(values.downloads),
            seconds,
            pages: Number(values.pages),
            intervalMs: Number(values["interval-ms"]),
            earlier: values.earlier,
        }),
    "many-clients": () => measureManyClients(seconds),
    workers: measureWorkers,
    "many-jobs": () => measureManyJobs(seconds),
    "page-caches": () => measurePageCaches(Number(values.pages)),
};

const load = (): string =>
    loadavg()
        .map((average) => average.toFixed(1))
        .join(", ");
for (const part of positionals.length > 0 ? positionals : Object.keys(parts)) {
    const measure = parts[part];
    if (measure === undefined) {
        throw new Error(`There is no part ${part}; the parts are ${Object.keys(parts).join(", ")}.`);
    }
    console.log(`\n${part} (load average of the machine before: ${load()})`);
    if (!(await measure())) {
        process.exitCode = 1;
    }
    console.log(`load average after: ${load()}`);
}
