/**
 * What the serialised provider loads when Pulumi calls it: the only module whose path and exported names stand in
 * users' states. They never change.
 */
import type { dynamic } from "@pulumi/pulumi";
import { AdminClient, systemClock } from "@pulumi-static-export/sdk";
import { BundleLifecycle } from "./bundle/lifecycle.js";
import { Journal } from "./journal.js";
import { readAdminApiSettings, type AdminApiSettings } from "./settings.js";

let config: dynamic.Config | undefined;
let connection: { client: AdminClient; settings: AdminApiSettings } | undefined;

/** Takes the stack's configuration. It stays unread until a call needs it, so that previews need no key. */
export function configure(stackConfig: dynamic.Config): void {
    config = stackConfig;
}

/** One client serves all resources of the stack, over connections that are reused and bounded. */
function connect(): { client: AdminClient; baseUrl: string } {
    if (!connection) {
        const settings = readAdminApiSettings(config ?? { get: () => undefined, require: requireNothing }, process.env);
        connection = { client: new AdminClient(settings), settings };
    }
    return { client: connection.client, baseUrl: connection.settings.baseUrl };
}

function requireNothing(key: string): never {
    throw new Error(`Missing required configuration key: ${key}`);
}

export const staticExportBundle = new BundleLifecycle({
    connect,
    journal: new Journal(Journal.defaultFolder(process.env)),
    clock: systemClock,
    print: (line) => console.log(line),
});
