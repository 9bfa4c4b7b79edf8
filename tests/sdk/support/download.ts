import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { inspect } from "node:util";
import { BundleError, type BundleProblem, downloadBundle, type DownloadBundleOptions } from "@pulumi-static-export/sdk";
import { createTarGz } from "./archives.js";
import { rejectionOf } from "./client.js";
import { FakeClock } from "../../fake-clock.js";
import { readTree, withFolder } from "./files.js";
import { type Reply, type TestServer, withServer } from "./http-server.js";

/** A bundle as a server sends it. */
export const archive = await createTarGz([
    { name: "index.html", content: "<h1>Hi" },
    { name: "guides/start.html", content: "start" },
]);
export const sha256 = createHash("sha256").update(archive).digest("hex");
/** Strings that no error may contain. */
export const query = "?X-Amz-Signature=5ignature";

export function send(content: Buffer, headers: Record<string, string> = {}): Reply {
    return (response) => response.writeHead(200, { "content-length": content.length, ...headers }).end(content);
}

export interface Download {
    server: TestServer;
    folder: string;
    /** Downloads into `folder`/site, with a fake clock. */
    run: (options?: DownloadBundleOptions) => ReturnType<typeof downloadBundle>;
}

export async function withDownload(
    replies: readonly Reply[],
    run: (download: Download) => Promise<void>,
): Promise<void> {
    await withServer(replies, (server) =>
        withFolder(async (folder) => {
            const clock = new FakeClock("2026-11-20T00:00:00Z");
            const download = (options = {}) =>
                downloadBundle(`${server.baseUrl}/se_42.tar.gz${query}`, join(folder, "site"), {
                    clock,
                    random: () => 0,
                    ...options,
                });
            await run({ server, folder, run: download });
        }),
    );
}

/** Asserts that the download rejects, shows nothing of the link's query, and leaves nothing behind. */
export async function assertFails<T extends Error>(
    { run, folder }: Download,
    options?: DownloadBundleOptions,
): Promise<T> {
    const before = await readTree(folder);
    const error = await rejectionOf<T>(run(options));
    assert.doesNotMatch(inspect(error, { showHidden: true, depth: 20 }), /5ignature/);
    assert.deepEqual(await readTree(folder), before, "something was left behind");
    return error;
}

export async function assertRefused(
    download: Download,
    problem: BundleProblem,
    options?: DownloadBundleOptions,
): Promise<void> {
    const error = await assertFails<BundleError>(download, options);
    assert.ok(error instanceof BundleError, inspect(error));
    assert.equal(error.problem, problem);
}
