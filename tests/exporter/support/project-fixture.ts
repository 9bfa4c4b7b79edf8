import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { exportSite } from "../../../exporter/src/write/export-site.js";
import { type Files, listFiles, withFolder, writeFiles } from "./site-fixture.js";

interface Exported {
    readonly read: (file: string) => Promise<string>;
    /** Lists all exported files except the theme's files, sorted. */
    readonly files: () => Promise<string[]>;
    readonly warnings: readonly string[];
    readonly draftCount: number;
}

/** Exports a folder of a project. */
export async function withProject(
    files: Files,
    siteFolder: string,
    use: (site: Exported) => Promise<void>,
): Promise<void> {
    await withFolder(async (folder) => {
        await writeFiles(join(folder, "project"), files);
        const outDir = join(folder, "out");
        const sourceDir = join(folder, "project", siteFolder);
        const { warnings, draftCount } = await exportSite({ sourceDir, outDir, domain: "docs.example.com" });
        await use({
            read: (file) => readFile(join(outDir, file), "utf8"),
            files: async () => (await listFiles(outDir)).filter((file) => !file.startsWith("static-export/")),
            draftCount,
            warnings: warnings.map(({ file, reason }) => `${file}: ${reason}`),
        });
    });
}

export const titleOf = (html: string) => /<title>(.*)<\/title>/.exec(html)?.[1];
