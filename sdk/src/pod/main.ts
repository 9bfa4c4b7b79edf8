/**
 * The program of the init container in charts/documentation-site: fetches, checks and unpacks one export bundle before
 * nginx starts. On failure, the pod does not start, so the live site stays live. It is bundled into one file, which the
 * chart's ConfigMap contains, so that any image with Node.js runs it.
 */
import { rmSync, writeFileSync } from "node:fs";
import { systemClock } from "../time/clock.js";
import { fetchSite } from "./fetch-site.js";
import { describePodError } from "./pod-error.js";
import { readPodSettings } from "./pod-settings.js";

async function main(): Promise<void> {
    const settings = readPodSettings(process.env);
    for (const [signal, exitCode] of [
        ["SIGTERM", 143],
        ["SIGINT", 130],
    ] as const) {
        process.once(signal, () => {
            rmSync(settings.workFolder, { recursive: true, force: true });
            process.exit(exitCode);
        });
    }
    await fetchSite(settings, { log: (text) => console.log(`static-export: ${text}`), clock: systemClock });
}

process.umask(0o022);
main().catch((error: unknown) => {
    const message = describePodError(error);
    console.error(`static-export: ${message}`);
    try {
        // `kubectl describe pod` shows this file.
        writeFileSync(process.env.TERMINATION_LOG || "/dev/termination-log", `${message}\n`);
    } catch {
        // The log says the same.
    }
    process.exitCode = 1;
});
