import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createService, type Service } from "@pulumi-static-export/service";
import { checkSite } from "./check-site.js";
import { LocalDeployment, writeValues } from "./local-deployment.js";
import { QuickstartFolder, type QuickstartSettings } from "./quickstart-folder.js";
import { QuickstartStack } from "./quickstart-stack.js";

export interface QuickstartOptions {
    version?: string | undefined;
    exit: boolean;
    reset: boolean;
    signal: AbortSignal;
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const domain = "docs.example.com";

/** The main job on this machine: admin service, `pulumi up`, fetch, serve. Stops all it started before it returns. */
export async function runQuickstart(options: QuickstartOptions): Promise<void> {
    const folder = new QuickstartFolder(root);
    const running = await folder.running();
    if (running) {
        if (options.reset) {
            throw new Error(`A quickstart (process ${running.pid}) uses .quickstart/ now. Stop it first.`);
        }
        await updateRunning(folder, running.serviceAddress, options);
        console.log(`\nThe quickstart that is running (process ${running.pid}) serves it at ${running.siteAddress}`);
        return;
    }
    if (options.reset) {
        await folder.reset();
    }
    const settings = await folder.settings();
    const service = await startService(folder, settings);
    const deployment = new LocalDeployment({
        folder: folder.sub("deployment"),
        port: settings.sitePort,
        print: (line) => console.log(line),
    });
    try {
        await deployment.start();
        await folder.saveRunning({ pid: process.pid, serviceAddress: service.url, siteAddress: deployment.address });
        await deployment.apply(await up(folder, settings, service.url, options));
        console.log(`\nThe site is live at ${deployment.address}`);
        if (options.exit) {
            const pages = await checkSite(deployment.address, options.signal);
            console.log(`Checked: all ${pages} pages answer with their content.`);
        } else {
            console.log("Stop with Ctrl-C. In another terminal, replace it: npm run quickstart -- --version 2");
            await once(options.signal, "abort");
        }
    } finally {
        await folder.forgetRunning();
        await deployment.stop();
        await service.close();
    }
}

/** Rolls a new export out to the quickstart that another terminal runs. */
async function updateRunning(folder: QuickstartFolder, serviceAddress: string, options: QuickstartOptions) {
    await writeValues(folder.sub("deployment"), await up(folder, await folder.settings(), serviceAddress, options));
}

async function up(folder: QuickstartFolder, settings: QuickstartSettings, baseUrl: string, options: QuickstartOptions) {
    const stack = await QuickstartStack.open({
        root,
        folder: folder.sub("pulumi"),
        passphrase: settings.passphrase,
        baseUrl,
        adminApiKey: settings.adminApiKey,
        print: (text) => process.stdout.write(text),
        signal: options.signal,
    });
    return stack.up(options.version);
}

async function startService(folder: QuickstartFolder, settings: QuickstartSettings): Promise<Service> {
    const service = createService({
        dataDir: folder.sub("service"),
        sites: { [domain]: join(root, "docs") },
        adminApiKey: settings.adminApiKey,
        linkTtlSeconds: 24 * 3600,
    });
    await service.listen({ port: settings.servicePort, host: "127.0.0.1" });
    console.log(`Admin service for ${domain} (folder docs/) at ${service.url}`);
    return service;
}
