import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LiveSite } from "../../exporter/src/live/live-site.js";
import { fingerprint, textOf } from "./fingerprint.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The file with the fingerprint of what each picture shows. */
export const drawnFile = fileURLToPath(new URL("drawn.json", import.meta.url));

/** The comment on a pull request: a golden file of tests/cli/preview. */
export const readComment = (): Promise<string> => readFile(`${root}tests/cli/preview/golden/review.md`, "utf8");

/** The site in the picture of a warning. */
const siteWithWarning = {
    "index.md": "# Welcome\n\nThis is your first page. Next, read how to [install](./install.md) the command.\n",
};

export async function withSiteWithWarning<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
    const folder = await mkdtemp(join(tmpdir(), "static-export-picture-"));
    try {
        await mkdir(join(folder, "docs"));
        for (const [file, text] of Object.entries(siteWithWarning)) {
            await writeFile(join(folder, "docs", file), text);
        }
        return await use(join(folder, "docs"));
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
}

/** Returns the fingerprint of what the code prints today for each picture. */
export async function fingerprints(): Promise<Record<string, string>> {
    return {
        "preview-comment.png": fingerprint(await readComment()),
        "dev-warning.png": await withSiteWithWarning(async (folder) => {
            const work = join(folder, "..", "work");
            await mkdir(work);
            const site = new LiveSite(folder, work, undefined);
            await site.plan();
            const page = await site.file("");
            const { warnings } = await site.state("index.html");
            return fingerprint(textOf(page.kind === "page" ? page.html : "") + JSON.stringify(warnings));
        }),
    };
}
