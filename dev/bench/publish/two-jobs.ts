import { execFile } from "node:child_process";
import { mkdir, readFile, rm } from "node:fs/promises";
import { promisify } from "node:util";
import { unpackArchive } from "@pulumi-static-export/sdk";
import {
    type BucketLocation,
    defaultHeaderSettings,
    measureFiles,
    publishSite,
    S3Target,
} from "@pulumi-static-export/sdk/publish";
import { PlatformServer } from "../../../tests/provider/bundle-mirror/platform-server.js";
import { changePage } from "./written-site.js";

/** The time that a part of this process's work takes. */
interface Times {
    readonly wallSeconds: number;
    readonly cpuSeconds: number;
}

/**
 * Publishes two export jobs of a site, the second with one changed page, and then the first again. Finally, publishes a
 * change to another page.
 *
 * @param publish - publishes a job of the platform in the environment
 * @returns the results of the second job and of the return to the first, and the time that this process takes to
 * publish the last change, as in a `BucketSite`, without unpacking the archive
 */
export async function publishTwoJobs<T>(
    site: string,
    version: number,
    publish: (jobId: string) => Promise<T>,
    location: BucketLocation,
): Promise<{ changed: T; back: T; inProcess: Times }> {
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
        const changed = await publish("se_2");
        const back = await publish("se_1");
        await changePage(site, version + 1);
        await pack();
        return { changed, back, inProcess: await publishHere(archive, location) };
    } finally {
        platform.stop();
    }
}

async function publishHere(archive: string, location: BucketLocation): Promise<Times> {
    const folder = `${archive}.unpacked`;
    await mkdir(folder);
    const target = await S3Target.open(location);
    const start = now();
    let unpacking = start;
    try {
        await publishSite(target, {
            owner: "static-export",
            headers: defaultHeaderSettings,
            switching: "files",
            keep: 1,
            graceSeconds: 0,
            openSite: async () => {
                const before = now();
                const { measured, onFile } = measureFiles();
                await unpackArchive(archive, folder, undefined, undefined, { onFile });
                unpacking = since(before);
                return { folder, measured };
            },
            signal: new AbortController().signal,
            log: () => undefined,
        });
        const { wallSeconds, cpuSeconds } = since(start);
        return {
            wallSeconds: wallSeconds - unpacking.wallSeconds,
            cpuSeconds: cpuSeconds - unpacking.cpuSeconds,
        };
    } finally {
        target.close();
        await rm(folder, { recursive: true });
    }
}

function now(): Times {
    const { user, system } = process.cpuUsage();
    return { wallSeconds: performance.now() / 1000, cpuSeconds: (user + system) / 1e6 };
}

function since(earlier: Times): Times {
    const { wallSeconds, cpuSeconds } = now();
    return { wallSeconds: wallSeconds - earlier.wallSeconds, cpuSeconds: cpuSeconds - earlier.cpuSeconds };
}
