import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { SiteError } from "../../../exporter/src/index.js";
import { exportSite, type ExportSiteOptions } from "../../../exporter/src/write/export-site.js";
import { type Files, listFiles, withFolder, writeFiles } from "./site-fixture.js";

export const secret = "admin_0123456789abcdef";

/** The target of a link in `site/`, relative to the site's folder. */
export type Links = Readonly<Record<string, string>>;

interface LinkedSite {
    files?: Files;
    links?: Links;
    options?: (folder: string) => Partial<ExportSiteOptions>;
}

/** Exports a folder with secrets inside and next to the folder; returns the published files or the error. */
export async function exportWithLinks({ files, links, options }: LinkedSite, warnings: string[] = []) {
    let outcome: string[] | SiteError = [];
    await withFolder(async (folder) => {
        await writeFiles(folder, {
            "site/index.md": "# Home",
            "site/.static-export/admin-api-key": secret,
            "site/.git/config": secret,
            "site/.env": secret,
            "site/_drafts/plan.md": secret,
            "site/node_modules/x/index.js": secret,
            "outside/secret.txt": secret,
            ...files,
        });
        for (const [link, target] of Object.entries(links ?? {})) {
            await mkdir(join(folder, "site", link, ".."), { recursive: true });
            await symlink(target, join(folder, "site", link));
        }
        const outDir = join(folder, "out");
        try {
            const result = await exportSite({
                sourceDir: join(folder, "site"),
                outDir,
                domain: "docs.example.com",
                ...options?.(folder),
            });
            for (const { file, reason, elsewhere } of result.warnings) {
                const files = [file, ...(elsewhere?.places ?? []).map((place) => place.file)];
                warnings.push(...files.map((each) => `${each}: ${reason}`));
            }
            outcome = (await listFiles(outDir)).filter((file) => !file.startsWith("static-export/"));
        } catch (error) {
            assert.ok(error instanceof SiteError, String(error));
            outcome = error;
        }
    });
    return outcome;
}

export async function refusalOf(site: LinkedSite): Promise<string> {
    const outcome = await exportWithLinks(site);
    assert.ok(outcome instanceof SiteError, `published ${String(outcome)}`);
    assert.ok(!outcome.message.includes(secret), outcome.message);
    return outcome.message;
}
