import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createService, type Service } from "@pulumi-static-export/service";
import { checkSite } from "./check-site.js";
import type { QuickstartFolder, QuickstartSettings } from "./quickstart-folder.js";
import type { QuickstartOptions } from "./quickstart-options.js";

/** The root of the checkout. */
export const root = fileURLToPath(new URL("../../..", import.meta.url));
const domain = "docs.example.com";

/**
 * Starts the admin service.
 *
 * @param publicUrl - the address that clients outside this machine use
 * @param site - the folder with the pages, docs/ by default
 * @throws when the service's port is taken; another port is not possible, because links in the stack's state contain it
 */
export async function startService(
    folder: QuickstartFolder,
    settings: QuickstartSettings,
    { publicUrl, site = join(root, "docs") }: { publicUrl?: string; site?: string } = {},
): Promise<Service> {
    const service = createService({
        dataDir: folder.sub("service"),
        sites: { [domain]: site },
        adminApiKey: settings.adminApiKey,
        linkTtlSeconds: 24 * 3600,
        ...(publicUrl === undefined ? {} : { publicUrl }),
    });
    try {
        const address = await service.listen({ port: settings.servicePort, host: "127.0.0.1" });
        console.log(`Admin service for ${domain} (folder docs/) at ${address}`);
        return service;
    } catch (error) {
        await service.close();
        throw (error as NodeJS.ErrnoException).code === "EADDRINUSE" ? portTaken(settings.servicePort, error) : error;
    }
}

function portTaken(port: number, cause: unknown): Error {
    return new Error(
        `The admin service cannot start: another program listens on its port ${port} of 127.0.0.1. ` +
            "Stop that program, or run `npm run quickstart -- --reset`, which forgets the earlier runs and " +
            "chooses new ports.",
        { cause },
    );
}

/** Prints the site's address and serves the site until it is stopped, or only checks the site. */
export async function showSite(
    address: string,
    hint: string,
    { exit, signal }: Pick<QuickstartOptions, "exit" | "signal">,
): Promise<void> {
    signal.throwIfAborted();
    console.log(`\nThe site is live at ${address}`);
    if (exit) {
        await reportCheck(address, signal);
    } else {
        console.log(`Stop with Ctrl-C. ${hint}`);
        await once(signal, "abort");
    }
}

/** Checks the site that is served, and prints the result. */
export async function reportCheck(address: string, signal: AbortSignal): Promise<void> {
    const pages = await checkSite(address, signal);
    console.log(`Checked: all ${pages} pages answer with their content.`);
}
