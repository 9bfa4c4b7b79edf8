import { ExportedSite, FolderFiles } from "../../../answer/src/index.js";
import { type ExportSiteOptions } from "../../../exporter/src/write/export-site.js";
import { type Files, withExport } from "../../exporter/support/site-fixture.js";

/** A site with public pages, pages for signed-in readers, and pages for two groups. */
export const siteWithReaders: Files = {
    "docs.json": JSON.stringify({
        name: "Walrus",
        navigation: { pages: ["index", "guides/start", "signed-in", "only-a", "only-b"] },
    }),
    "index.md": "---\ntitle: Home\ndescription: Where to begin.\n---\nThe walrus swims.\n",
    "guides/start.md": "---\ntitle: Start\n---\nInstall the walrus.\n\n## Next steps\n\nFeed the walrus with clams.\n",
    "signed-in.md": "---\ntitle: Members\npublic: false\n---\nThe walrus of members.\n",
    "only-a.md": "---\ntitle: Plan A\ngroups: [a]\n---\nThe walrus of group a, a narwhal.\n",
    "only-b.md": "---\ntitle: Plan B\ngroups: [b]\n---\nThe walrus of group b, a beluga.\n",
};

/** Exports a site, and opens it as the answer server does. */
export async function withAnsweredSite(
    files: Files,
    use: (site: ExportedSite, outDir: string) => Promise<void>,
    options: Partial<ExportSiteOptions> = {},
): Promise<void> {
    await withExport(
        files,
        async ({ outDir }) => use(await ExportedSite.open(new FolderFiles(outDir)), outDir),
        options,
    );
}
