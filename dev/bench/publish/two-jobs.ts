import { execFile } from "node:child_process";
import { mkdir, readFile, rm } from "node:fs/promises";
import { promisify } from "node:util";
import { unpackArchive } from "@pulumi-static-export/sdk";
import { measureFiles } from "@pulumi-static-export/sdk/publish";
import { PlatformServer } from "../../../tests/provider/bundle-mirror/platform-server.js";
import { changePage } from "./written-site.js";

/**
 * Publishes two export jobs of a site, the second with one changed page, and then goes back to the first.
 *
 * @param publish - publishes a job of the platform in the environment
 * @returns the results of the second job and of the way back, and the seconds in which this package's code unpacks the
 * second job's archive, which each publication of a new job does
 */
export async function publishTwoJobs<T>(
    site: string,
    version: number,
    publish: (jobId: string) => Promise<T>,
): Promise<{ changed: T; back: T; unpackSeconds: number }> {
    const platform = await PlatformServer.start();
    process.env["STATIC_EXPORT_BASE_URL"] = platform.url;
    process.env["STATIC_EXPORT_ADMIN_API_KEY"] = "bench_0123456789abcdef";
    const archive = `${site}.tar.gz`;
    const pack = async () => {
        await promisify(execFile)("tar", ["-czf", archive, "-C", site, "."]);
        platform.serve(await readFile(archive));
    };
    try {
        await pack();
        await publish("se_1");
        await changePage(site, version);
        await pack();
        const unpackSeconds = await unpack(archive);
        return { changed: await publish("se_2"), back: await publish("se_1"), unpackSeconds };
    } finally {
        platform.stop();
    }
}

async function unpack(archive: string): Promise<number> {
    const folder = `${archive}.unpacked`;
    await mkdir(folder);
    const startedMs = performance.now();
    await unpackArchive(archive, folder, undefined, undefined, measureFiles().onFile);
    const seconds = (performance.now() - startedMs) / 1000;
    await rm(folder, { recursive: true });
    return seconds;
}
