import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createService, type Service } from "@pulumi-static-export/service";
import { checkSite } from "./check-site.js";
import type { QuickstartFolder, QuickstartSettings } from "./quickstart-folder.js";
import type { QuickstartOptions } from "./quickstart-options.js";

/** The checkout. */
export const root = fileURLToPath(new URL("../..", import.meta.url));
const domain = "docs.example.com";

/**
 * Starts the admin service over the folder docs/.
 *
 * @param publicUrl - where others than this machine reach it
 */
export async function startService(
    folder: QuickstartFolder,
    settings: QuickstartSettings,
    publicUrl?: string,
): Promise<Service> {
    const service = createService({
        dataDir: folder.sub("service"),
        sites: { [domain]: join(root, "docs") },
        adminApiKey: settings.adminApiKey,
        linkTtlSeconds: 24 * 3600,
        ...(publicUrl === undefined ? {} : { publicUrl }),
    });
    const address = await service.listen({ port: settings.servicePort, host: "127.0.0.1" });
    console.log(`Admin service for ${domain} (folder docs/) at ${address}`);
    return service;
}

/** Tells where the site is and serves on until it is stopped, or checks it. */
export async function showSite(address: string, hint: string, { exit, signal }: QuickstartOptions): Promise<void> {
    console.log(`\nThe site is live at ${address}`);
    if (exit) {
        const pages = await checkSite(address, signal);
        console.log(`Checked: all ${pages} pages answer with their content.`);
    } else {
        console.log(`Stop with Ctrl-C. ${hint}`);
        await once(signal, "abort");
    }
}
