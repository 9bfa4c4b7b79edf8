import { execFile } from "node:child_process";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { withTemporaryFolder } from "@pulumi-static-export/toolchain";
import { goTools } from "../../toolchain/src/cache/tools.js";
import { ensureGoTool } from "../../toolchain/src/ways/ensure-go-tool.js";
import { type Corpus } from "./corpus.js";
import { measureExport } from "./measured-export.js";
import { runMeasured, type Usage } from "./measured-process.js";

export interface Build {
    readonly usage: Usage;
    readonly outDir: string;
}

/** A folder where a builder can build a site repeatedly. */
export interface Project {
    /** The folder of the project's pages. */
    readonly pagesDir: string;
    /** Builds everything that is not in the builder's cache. */
    build(): Promise<Build>;
}

/** The changes since the previous build. */
export type Since = "nothing changed" | "one page changed";

export interface Builder {
    readonly name: string;
    /** The builds to measure after the cold build, in this order. */
    readonly later: readonly Since[];
    /** Gives `use` a new project without a cache, and removes it afterwards. */
    withProject<T>(corpus: Pick<Corpus, "write">, use: (project: Project) => Promise<T>): Promise<T>;
}

/** Does the service's work for one job (pages and archive) in a separate process. */
export const ourBuilder = (cores: number): Builder => ({
    name: `static-export, with its archive, ${cores} ${cores === 1 ? "core" : "cores"}`,
    later: ["nothing changed", "one page changed"],
    withProject: (corpus, use) =>
        withTemporaryFolder("bench-site-", async (folder) => {
            const sourceDir = join(folder, "pages");
            await corpus.write(sourceDir);
            let builds = 0;
            return use({
                pagesDir: sourceDir,
                async build() {
                    const workDir = join(folder, `work-${++builds}`);
                    const folders = { sourceDir, workDir, cacheDir: join(folder, "cache") };
                    const { usage, archivePath } = await measureExport({ cores, ...folders });
                    const outDir = join(workDir, "site");
                    await mkdir(outDir);
                    await promisify(execFile)("tar", ["-xzf", archivePath, "-C", outDir]);
                    return { usage, outDir };
                },
            });
        }),
});

/** Builds with Hugo, and archives its output. Compiles Hugo unless an earlier run has done so. */
export async function hugoBuilder(): Promise<Builder> {
    const tool = goTools.hugo;
    const binary = await ensureGoTool(tool);
    return {
        name: `hugo ${tool.version}, with an archive`,
        later: [],
        withProject: (corpus, use) =>
            withTemporaryFolder("bench-site-", async (folder) => {
                await cp(fileURLToPath(new URL("hugo", import.meta.url)), folder, { recursive: true });
                await corpus.write(join(folder, "pages"));
                const args = ["-c", '"$0" --quiet && tar -czf site.tar.gz -C public .', binary];
                return use({
                    pagesDir: join(folder, "pages"),
                    build: async () => ({
                        usage: await runMeasured({ program: "/bin/sh", args, cwd: folder }),
                        outDir: join(folder, "public"),
                    }),
                });
            }),
    };
}
