import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { exportNodeOptions } from "../../../service/src/export/bounded-command.js";
import { type Builder } from "./builder.js";
import { runMeasured } from "./measured-process.js";
import { withProjectFolder } from "./project-folder.js";

const script = fileURLToPath(new URL("./export-job.mjs", import.meta.url));

/** The service's own limit, unless it is told another one. */
const memoryMegabytes = 1024;

const unpack = promisify(execFile);

/** What the service does for one job, pages and archive, in a separate process. */
export const ourBuilder: Builder = {
    name: "static-export, with its archive",
    later: ["nothing changed", "one page changed"],
    withProject(corpus, use) {
        let builds = 0;
        const place = { prefix: join(tmpdir(), "bench-site-"), pages: "pages" };
        return withProjectFolder(place, corpus, (folder, pagesDir) =>
            use({
                pagesDir,
                async build() {
                    const workDir = join(folder, `work-${++builds}`);
                    const args = [
                        ...exportNodeOptions(memoryMegabytes),
                        script,
                        pagesDir,
                        workDir,
                        join(folder, "cache"),
                    ];
                    const usage = await runMeasured({ args, cwd: folder });
                    const outDir = join(workDir, "site");
                    await mkdir(outDir);
                    await unpack("tar", ["-xzf", join(workDir, "bundle.tar.gz"), "-C", outDir]);
                    return { usage, outDir };
                },
            }),
        );
    },
};
