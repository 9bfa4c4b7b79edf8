/**
 * What the serialised provider loads when Pulumi calls it. The path of this module and the names that it exports are
 * stored in users' states, so they never change.
 */
import type { dynamic } from "@pulumi/pulumi";
import { type AdminClient, createGate, maxConnections, systemClock } from "@pulumi-static-export/sdk";
import { AgentJobLifecycle } from "./agent-job/lifecycle.js";
import { BundleLifecycle } from "./static-export-bundle/lifecycle.js";
import { EngineWatch } from "./host/engine-watch.js";
import { heartbeatEveryMs } from "./host/journal/heartbeats.js";
import type { JobRuntime } from "./jobs/runtime.js";
import { Journal } from "./host/journal/journal.js";
import { journalFolder } from "./host/journal/journal-folder.js";
import { processEnd } from "./host/process-end.js";
import { MirrorLifecycle } from "./bundle-mirror/lifecycle.js";
import type { MirrorInputs } from "./bundle-mirror/model.js";
import { readStorageCredentials } from "./bundle-mirror/storage/storage-credentials.js";
import { Storage } from "./bundle-mirror/storage/storage.js";
import { connectAdminApi } from "./host/connect-admin-api.js";
import type { RunContext } from "./host/run-context.js";
import { findCiRun } from "./start-keys/ci-run.js";
import { RequestIdentities } from "./start-keys/request-identities.js";
import type { KeySource } from "./host/settings.js";
import { ExportJobLifecycle } from "./static-export-job/lifecycle.js";
import { BundleCheckLifecycle } from "./bundle-check/lifecycle.js";

let config: dynamic.Config | undefined;
let connection: { client: AdminClient; keySource: KeySource } | undefined;

/** Keeps the stack's configuration without reading it: a preview needs no key. */
export function configure(given: dynamic.Config): void {
    config = given;
}

/** Returns the one client of all resources in the stack: it reuses connections and limits their number. */
function connect(): { client: AdminClient; keySource: KeySource } {
    return (connection ??= connectAdminApi(stackConfig(), process.env));
}

/** Empty when Pulumi has not configured the provider. */
function stackConfig(): dynamic.Config {
    return config ?? { get: () => undefined, require: requireNothing };
}

function requireNothing(key: string): never {
    throw new Error(`Missing required configuration key: ${key}`);
}

// Pulumi starts the dynamic provider process with the engine's address as its first argument.
const engineWatch = new EngineWatch(process.argv[2]);
engineWatch.start();

const identities = new RequestIdentities();
identities.listen(process.argv[1]);

const context: RunContext = {
    log: (line) => console.log(line),
    signal: engineWatch.gone,
    identityOf: (inputs) => identities.of(inputs),
};

const journal = new Journal(journalFolder(process.env), { report: (problem) => context.log(problem) });
setInterval(() => void journal.beat(), heartbeatEveryMs).unref();
processEnd.onEnd(() => journal.close());

const jobRuntime: JobRuntime = {
    ...context,
    connect,
    engine: engineWatch,
    journal,
    ciRun: findCiRun(process.env),
    startGate: createGate(maxConnections),
    clock: systemClock,
};

export const staticExportBundle = new BundleLifecycle(jobRuntime);

export const staticExportJob = new ExportJobLifecycle(jobRuntime);

export const agentJob = new AgentJobLifecycle(jobRuntime);

const openStorage = (inputs: MirrorInputs) => Storage.open(inputs, readStorageCredentials(stackConfig()));

export const bundleMirror = new MirrorLifecycle({
    ...context,
    connect,
    openStorage,
    engine: engineWatch,
    clock: systemClock,
});

export const bundleCheck = new BundleCheckLifecycle({
    ...context,
    connect,
    openStorage,
    engine: engineWatch,
    clock: systemClock,
});
