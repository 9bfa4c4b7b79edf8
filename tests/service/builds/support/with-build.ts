import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readSiteBuild } from "../../../../service/src/builds/site-build.js";
import { SiteBuilder, type SiteBuilderOptions } from "../../../../service/src/builds/site-builder.js";
import { withFolder } from "../../../sdk/support/files.js";

export interface Built {
    /** The files of the output; undefined if the build failed. */
    files: string[] | undefined;
    error: string;
    lines: string[];
    /** The content of files in the output. */
    read: (file: string) => Promise<string>;
    dataDir: string;
}

export interface Given {
    /** Undefined to take the command from the repository. */
    command?: string;
    build?: object;
    options?: Partial<SiteBuilderOptions>;
    signal?: AbortSignal;
    onLine?: (line: string) => void;
    prepare?: (checkout: string) => Promise<void>;
    /** The data folder, for the caches of several builds. @default a new one */
    dataDir?: string;
    cacheName?: string;
}

/** Builds a site, and calls `use` before the build's folder is removed. */
export async function withBuild(
    {
        command,
        build = {},
        options = {},
        signal = new AbortController().signal,
        onLine,
        prepare,
        cacheName,
        ...given
    }: Given,
    use: (built: Built) => Promise<void> | void,
): Promise<void> {
    await withFolder(async (folder) => {
        const dataDir = given.dataDir ?? join(folder, "data");
        await mkdir(dataDir, { recursive: true });
        await writeFile(join(dataDir, "admin-api-key"), "key_5ecret");
        const ignore = () => undefined;
        const logger = { info: ignore, error: ignore };
        const env = { PATH: process.env["PATH"] ?? "", DATABASE_PASSWORD: "environment_5ecret" };
        const own = { dataDir, secretFiles: [], sharesNetwork: false, siteFolders: () => [], env, logger };
        const builder = new SiteBuilder({ ...own, ...options });
        const lines: string[] = [];
        const settings = { outputFolder: "out", timeoutSeconds: 40, ...build, command };
        const permission = readSiteBuild("docs.example.com", command === undefined || settings);
        assert.ok(permission);
        await builder.withFolder("se_1", permission.limits, async (place) => {
            const checkout = join(place, "site");
            await Promise.all([checkout, join(place, "repository")].map((path) => mkdir(path)));
            await prepare?.(checkout);
            let output: string | undefined;
            let error = "";
            try {
                const add = (line: string) => void (lines.push(line), onLine?.(line));
                const request = { jobId: "se_1", folder: place, checkout, sourceDir: checkout, signal, onLine: add };
                output = await builder.run({ ...request, build: permission, cacheName });
            } catch (failure) {
                error = (failure as Error).message;
            }
            const files = output === undefined ? undefined : await readdir(output);
            await use({ files, error, lines, read: (file) => readFile(join(output ?? "", file), "utf8"), dataDir });
        });
        assert.deepEqual(await readdir(join(dataDir, "builds")), [], "nothing is left");
    });
}

/** A hook for specs that need bubblewrap. */
export function skipWithoutSandbox(this: Mocha.Context): void {
    const { status, stderr } = spawnSync("bwrap", ["--ro-bind", "/", "/", "--unshare-all", "true"], {
        encoding: "utf8",
    });
    if (status !== 0) {
        console.log(`      skipped: bubblewrap is missing, or may not be used here. ${stderr ?? ""}`);
        this.skip();
    }
}
