import { runInBucket } from "./in-bucket.js";
import { runOnKubernetes } from "./kubernetes.js";
import { runOnThisMachine, updateRunning } from "./on-this-machine.js";
import { QuickstartFolder } from "./quickstart-folder.js";
import type { QuickstartOptions } from "./quickstart-options.js";
import { root } from "./steps.js";

/**
 * Runs the quickstart, or updates the quickstart in another terminal. Stops everything that it started before it
 * returns.
 */
export async function runQuickstart(options: QuickstartOptions): Promise<void> {
    if (options.bucket && (options.kubernetes || options.version !== undefined)) {
        throw new Error("--bucket publishes its own two releases: leave out --kubernetes and --version.");
    }
    const folder = new QuickstartFolder(root);
    const running = await folder.running();
    if (running) {
        const { siteAddress } = running;
        if (options.reset || options.kubernetes || options.bucket || siteAddress === undefined) {
            throw new Error(`A quickstart (process ${running.pid}) uses .quickstart/ now. Stop it first.`);
        }
        await updateRunning(folder, { ...running, siteAddress }, options);
        return;
    }
    if (options.reset) {
        await folder.reset();
    }
    const settings = await folder.settings();
    const run = options.kubernetes ? runOnKubernetes : options.bucket ? runInBucket : runOnThisMachine;
    await run(folder, settings, options);
}
