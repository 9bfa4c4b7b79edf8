import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Builder } from "./builder.js";
import { measureExport } from "../measured-export.js";
import { withProjectFolder } from "./project-folder.js";

const unpack = promisify(execFile);

/** Does the service's work for one job (pages and archive) in a separate process. */
export const ourBuilder = (cores: number): Builder => ({
    name: `static-export, with its archive, ${cores} ${cores === 1 ? "core" : "cores"}`,
    later: ["nothing changed", "one page changed"],
    withProject(corpus, use) {
        let builds = 0;
        const place = { prefix: join(tmpdir(), "bench-site-"), pages: "pages" };
        return withProjectFolder(place, corpus, (folder, pagesDir) =>
            use({
                pagesDir,
                async build() {
                    const workDir = join(folder, `work-${++builds}`);
                    const { usage, parts, archivePath } = await measureExport({
                        cores,
                        sourceDir: pagesDir,
                        workDir,
                        cacheDir: join(folder, "cache"),
                    });
                    const outDir = join(workDir, "site");
                    await mkdir(outDir);
                    await unpack("tar", ["-xzf", archivePath, "-C", outDir]);
                    return { usage, parts, outDir };
                },
            }),
        );
    },
});
