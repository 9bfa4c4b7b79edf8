import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { extract } from "tar-stream";
import { exportSite } from "../../../../../exporter/src/write/export-site.js";
import { type SiteFile } from "../../../../charts/access/support/private-site.js";
import { type Files, withFolder, writeFiles } from "../../../../exporter/support/site-fixture.js";

interface PrivateBundle {
    readonly archive: Buffer;
    /** The bundle's files with their readers, except access.json itself. */
    readonly files: Record<string, SiteFile>;
}

const page = (title: string, body: string, frontMatter = "") =>
    `---\ntitle: ${title}\n${frontMatter}\n---\n\n${body}\n`;

/** Returns a site with public pages and pages for two groups. Only private content contains "secret". */
export function siteOfTwoGroups(version: string, groupOfPlans: string): Files {
    const inFull = `This is version ${version}.\n\n`.repeat(50);
    return {
        "docs.json": JSON.stringify({
            name: "Docs",
            navigation: { pages: ["index", "guides/open", "guides/staff", "guides/admins", "guides/plans", "team"] },
        }),
        "index.md": page("Home", `${inFull}![Shared](/images/shared.png)`),
        "guides/open.md": page("Open", inFull),
        "guides/staff.md": page("For staff", `secret ${inFull} ![Only here](/images/staff.png)`, "groups: [staff]"),
        "guides/admins.md": page("For admins", `secret ${inFull} ![Shared](/images/shared.png)`, "groups: [admins]"),
        "guides/plans.md": page("Plans", `secret ${inFull}`, `groups: [${groupOfPlans}]`),
        "team.md": page("Team", `secret ${inFull}`, "public: false"),
        "images/shared.png": "shared",
        "images/staff.png": "secret",
    };
}

/** Exports a site like `static-export build --access`. */
export async function exportKeptApart(site: Files): Promise<PrivateBundle> {
    return withFolder(async (folder) => {
        const sourceDir = join(folder, "site");
        await writeFiles(sourceDir, site);
        const archivePath = join(folder, "site.tar.gz");
        await exportSite({ sourceDir, archivePath, domain: "docs.example.com", privatePages: "keep-apart" });
        const archive = await readFile(archivePath);
        return { archive, files: await filesOf(archive) };
    });
}

async function filesOf(archive: Buffer): Promise<Record<string, SiteFile>> {
    const contents = new Map<string, string>();
    const entries = extract();
    entries.end(gunzipSync(archive));
    for await (const entry of entries) {
        contents.set(entry.header.name, await text(entry));
    }
    const { files } = JSON.parse(contents.get("access.json") ?? "") as { files: Record<string, string[]> };
    contents.delete("access.json");
    const withReaders = [...contents].map(([name, content]): [string, SiteFile] => [
        name,
        files[name] === undefined ? { content } : { content, groups: files[name] },
    ]);
    return Object.fromEntries(withReaders);
}
