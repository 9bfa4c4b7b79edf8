/**
 * The module that the serialised provider loads when Pulumi calls it. The path of this module and the names that it
 * exports are stored in users' states, so they never change.
 */
import type { dynamic } from "@pulumi/pulumi";
import { adoptPluginState } from "./moving/adopt-plugin-state.js";
import { parseEngineAddress } from "./engine/engine-address.js";
import type { OperationContext } from "./engine/operation-context.js";
import { RequestIdentities } from "./start-keys/request-identities.js";
import { LifecycleHost } from "./lifecycle-host.js";

let config: dynamic.Config | undefined;

/** Keeps the stack's configuration without reading it: a preview needs no key. */
export function configure(given: dynamic.Config): void {
    config = given;
}

/** Returns an empty configuration if Pulumi has not configured the provider. */
function stackConfig(): dynamic.Config {
    return config ?? { get: () => undefined, require: requireNothing };
}

function requireNothing(key: string): never {
    throw new Error(`Missing required configuration key: ${key}`);
}

const log = (line: string): void => console.log(line);

const host = new LifecycleHost(parseEngineAddress(process.argv.slice(2)), stackConfig, log);
const identities = new RequestIdentities();
identities.listen(process.argv[1]);

const context: OperationContext = { log, signal: host.gone, identityOf: (inputs) => identities.of(inputs) };

export const staticExportBundle = adoptPluginState(host.staticExportBundle(context), log);

export const staticExportJob = adoptPluginState(host.staticExportJob(context), log);

export const agentJob = adoptPluginState(host.agentJob(context), log);

export const documentationUpdate = adoptPluginState(host.documentationUpdate(context), log);

export const bundleMirror = adoptPluginState(host.bundleMirror(context), log);

export const bucketSite = adoptPluginState(host.bucketSite(context), log);

export const bundleCheck = adoptPluginState(host.bundleCheck(context), log);
