/** Runs a worker whose exports take a given time but no CPU time: `tsx worker-process.ts <JSON of settings>`. */
import { createWorker } from "@pulumi-static-export/service";
import { pacedExporter } from "../scale/paced-exporter.js";
import { type WorkerSettings } from "./clustered-service.js";

const { jobMs, bundleBytes, ...options } = JSON.parse(process.argv[2] ?? "{}") as WorkerSettings;
const worker = createWorker({ ...options, exporter: pacedExporter(jobMs, bundleBytes) });
await worker.start();
console.log("started");
