/**
 * What the serialised provider loads when Pulumi calls it: the only module whose path and exported names stand in
 * users' states. They never change.
 */
import type { dynamic } from "@pulumi/pulumi";
import { AdminClient, createGate, maxConnections, systemClock } from "@pulumi-static-export/sdk";
import { BundleLifecycle } from "./bundle/lifecycle.js";
import { EngineWatch } from "./engine-watch.js";
import { Journal } from "./journal.js";
import { journalFolder } from "./journal-folder.js";
import { MirrorLifecycle } from "./mirror/lifecycle.js";
import type { MirrorInputs } from "./mirror/model.js";
import { readStorageCredentials } from "./mirror/storage-credentials.js";
import { Storage } from "./mirror/storage.js";
import { readAdminApiSettings } from "./settings.js";
import { BundleCheckLifecycle } from "./site/bundle-check-lifecycle.js";

let config: dynamic.Config | undefined;
let client: AdminClient | undefined;

/** Takes the stack's configuration. It stays unread until a call needs it, so that previews need no key. */
export function configure(given: dynamic.Config): void {
    config = given;
}

/** One client serves all resources of the stack, over connections that are reused and bounded. */
function connect(): { client: AdminClient } {
    client ??= new AdminClient(readAdminApiSettings(stackConfig(), process.env));
    return { client };
}

/** Empty where Pulumi has not configured the provider. */
function stackConfig(): dynamic.Config {
    return config ?? { get: () => undefined, require: requireNothing };
}

function requireNothing(key: string): never {
    throw new Error(`Missing required configuration key: ${key}`);
}

// The host of dynamic providers is started with the engine's address as its first argument.
const engineWatch = new EngineWatch(process.argv[2], () => process.exit(1));
engineWatch.start();

const print = (line: string): void => console.log(line);

export const staticExportBundle = new BundleLifecycle({
    connect,
    engine: engineWatch,
    journal: new Journal(journalFolder(process.env), { report: print }),
    startGate: createGate(maxConnections),
    clock: systemClock,
    print,
});

const openStorage = (inputs: MirrorInputs) => Storage.open(inputs, readStorageCredentials(stackConfig()));

export const bundleMirror = new MirrorLifecycle({
    connect,
    openStorage,
    engine: engineWatch,
    clock: systemClock,
    print,
});

export const bundleCheck = new BundleCheckLifecycle({ connect, openStorage, clock: systemClock });
