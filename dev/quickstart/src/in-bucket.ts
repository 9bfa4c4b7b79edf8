import { appendFile, cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { QuickstartFolder, QuickstartSettings } from "./quickstart-folder.js";
import type { QuickstartOptions } from "./quickstart-options.js";
import { QuickstartStack } from "./quickstart-stack.js";
import { root, showSite, startService } from "./steps.js";
import { LocalBucket } from "./bucket/local-bucket.js";
import { LocalEdge } from "./bucket/local-edge.js";
import { SteadyReader } from "./bucket/steady-reader.js";

/** The edge selects a site by the host name of its address. */
const host = "127.0.0.1";
const prefix = "sites/";
const page = "own-project";
const news = "This line is new in the second release.";
const chart = join(root, "charts", "documentation-sites");
const program = join(root, "examples", "many-sites");

/**
 * Runs the quickstart in a bucket: an S3 server and the chart's edge on this machine, with two releases and a rollback
 * during continuous requests.
 *
 * @throws when one of the reader's requests failed
 */
export async function runInBucket(
    folder: QuickstartFolder,
    settings: QuickstartSettings,
    options: QuickstartOptions,
): Promise<void> {
    const own = folder.sub("bucket");
    // Each run shows the same two releases, so it starts with an empty bucket and an empty stack.
    await rm(own, { recursive: true, force: true });
    const site = join(own, "docs");
    await cp(join(root, "docs"), site, { recursive: true });
    const service = await startService(folder, settings, { site });
    try {
        await folder.saveRunning({ pid: process.pid, serviceAddress: service.url });
        const { signal } = options;
        const bucket = await LocalBucket.start(join(own, "storage"), { signal });
        try {
            console.log(`S3 server at ${bucket.place.endpoint}, bucket ${bucket.place.bucket}`);
            const edge = await LocalEdge.start(chart, join(own, "edge"), bucket.place, { bucket: { prefix } }, 1);
            try {
                const address = `http://${host}:${edge.port}/`;
                console.log(`nginx with the configuration of charts/documentation-sites at ${address}`);
                const stack = await QuickstartStack.open({
                    workDir: program,
                    folder: join(own, "pulumi"),
                    passphrase: settings.passphrase,
                    baseUrl: service.url,
                    adminApiKey: settings.adminApiKey,
                    env: {
                        AWS_ACCESS_KEY_ID: bucket.place.accessKeyId,
                        AWS_SECRET_ACCESS_KEY: bucket.place.secretAccessKey,
                    },
                    config: {
                        bucket: bucket.place.bucket,
                        endpoint: bucket.place.endpoint,
                        prefix: `${prefix}${host}/`,
                    },
                    print: (text) => process.stdout.write(text),
                    signal,
                });
                await switchReleases(stack, site, new URL(page, address).href, signal);
                await showSite(address, "Run it again for the same two releases.", options);
            } finally {
                await edge.stop();
            }
        } finally {
            await bucket.stop();
        }
    } finally {
        await folder.forgetRunning();
        await service.close();
    }
}

async function switchReleases(
    stack: QuickstartStack,
    site: string,
    address: string,
    signal: AbortSignal,
): Promise<void> {
    const first = await stack.up("1");
    await untilServed(address, (text) => !text.includes(news), signal);
    console.log("\nThe first release is live. A reader now requests a page without a pause.\n");
    const reader = new SteadyReader(address, (text) => text.includes("</html>"));
    let requests: number;
    try {
        await appendFile(join(site, `${page}.md`), `\n${news}\n`);
        await stack.up("2");
        await untilServed(address, (text) => text.includes(news), signal);
        console.log("\nThe second release is live. Back to the first:\n");
        await stack.setConfig("pin", first["servedJobId"]?.value as string);
        await stack.up(undefined);
        await untilServed(address, (text) => !text.includes(news), signal);
    } finally {
        requests = await reader.stop();
    }
    console.log(`\nThe first release is live again: ${requests} requests, none failed.`);
}

/** Waits until the edge serves the release; the edge reads the record again after one second. */
async function untilServed(address: string, isServed: (text: string) => boolean, signal: AbortSignal): Promise<void> {
    for (let attempt = 0; attempt < 150; attempt++) {
        const response = await fetch(address, { signal });
        if (isServed(await response.text()) && response.ok) {
            return;
        }
        await delay(100, undefined, { signal });
    }
    throw new Error(`${address} does not serve the release that was published.`);
}
