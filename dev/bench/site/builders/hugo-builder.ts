import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureGoTool } from "../../../toolchain/src/ways/ensure-go-tool.js";
import { goTools } from "../../../toolchain/src/cache/tools.js";
import { type Builder } from "./builder.js";
import { runMeasured } from "../measured-process.js";
import { withProjectFolder } from "./project-folder.js";

const template = fileURLToPath(new URL("../peers/hugo", import.meta.url));

/**
 * Builds with Hugo, a separate program, and archives its output. Compiles Hugo unless an earlier run has done so.
 */
export async function hugoBuilder(): Promise<Builder> {
    const tool = goTools.hugo;
    const binary = await ensureGoTool(tool);
    const command = '"$0" --quiet && tar -czf site.tar.gz -C public .';
    return {
        name: `hugo ${tool.version}, with an archive`,
        later: [],
        withProject(corpus, use) {
            const place = { prefix: join(tmpdir(), "bench-site-hugo-"), template, pages: "pages" };
            return withProjectFolder(place, corpus, (folder, pagesDir) =>
                use({
                    pagesDir,
                    async build() {
                        const args = ["-c", command, binary];
                        const usage = await runMeasured({ program: "/bin/sh", args, cwd: folder });
                        return { usage, outDir: join(folder, "public") };
                    },
                }),
            );
        },
    };
}
