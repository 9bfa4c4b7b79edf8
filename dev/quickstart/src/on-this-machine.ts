import { DeploymentFolder, type StaticExportValues } from "./local/deployment-folder.js";
import { LocalDeployment } from "./local/local-deployment.js";
import type { QuickstartFolder, QuickstartSettings, RunningQuickstart } from "./quickstart-folder.js";
import type { QuickstartOptions } from "./quickstart-options.js";
import { QuickstartStack } from "./quickstart-stack.js";
import { reportCheck, root, showSite, startService } from "./steps.js";

/**
 * Runs the quickstart on this machine: starts the admin service, runs `pulumi up` with the root Pulumi.yaml, and
 * fetches and serves the bundle.
 */
export async function runOnThisMachine(
    folder: QuickstartFolder,
    settings: QuickstartSettings,
    options: QuickstartOptions,
): Promise<void> {
    const service = await startService(folder, settings);
    const deployment = new LocalDeployment({
        folder: folder.sub("deployment"),
        port: settings.sitePort,
        print: (line) => console.log(line),
        signal: options.signal,
    });
    try {
        await deployment.start();
        await folder.saveRunning({ pid: process.pid, serviceAddress: service.url, siteAddress: deployment.address });
        await deployment.apply(await up(folder, settings, service.url, options));
        await showSite(
            deployment.address,
            "In another terminal, replace it: npm run quickstart -- --version 2",
            options,
        );
    } finally {
        await folder.forgetRunning();
        await deployment.stop();
        await service.close();
    }
}

/**
 * Rolls out a new export to the quickstart that runs in another terminal, and returns when that quickstart serves the
 * export.
 */
export async function updateRunning(
    folder: QuickstartFolder,
    running: RunningQuickstart & { siteAddress: string },
    options: QuickstartOptions,
): Promise<void> {
    const values = await up(folder, await folder.settings(), running.serviceAddress, options);
    const isRunning = async () => (await folder.running())?.pid === running.pid;
    await new DeploymentFolder(folder.sub("deployment")).handOver(values, { isRunning, signal: options.signal });
    console.log(`\nThe quickstart that is running (process ${running.pid}) serves it at ${running.siteAddress}`);
    if (options.exit) {
        await reportCheck(running.siteAddress, options.signal);
    }
}

async function up(folder: QuickstartFolder, settings: QuickstartSettings, baseUrl: string, options: QuickstartOptions) {
    const stack = await QuickstartStack.open({
        workDir: root,
        folder: folder.sub("pulumi"),
        passphrase: settings.passphrase,
        baseUrl,
        adminApiKey: settings.adminApiKey,
        print: (text) => process.stdout.write(text),
        signal: options.signal,
    });
    const { staticExport } = await stack.up(options.version);
    return staticExport?.value as StaticExportValues;
}
