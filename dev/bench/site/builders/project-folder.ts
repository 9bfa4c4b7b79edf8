import { cp, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Corpus } from "../corpus.js";

interface ProjectFolder {
    /** The beginning of the folder's path, to which a unique part is added. */
    readonly prefix: string;
    /** A folder whose content is copied first. */
    readonly template?: string;
    /** The folder for the pages, inside the project's folder. */
    readonly pages: string;
}

/** Gives `use` a new folder with the pages, and removes it afterwards. */
export async function withProjectFolder<T>(
    { prefix, template, pages }: ProjectFolder,
    corpus: Pick<Corpus, "write">,
    use: (folder: string, pagesDir: string) => Promise<T>,
): Promise<T> {
    const folder = await mkdtemp(prefix);
    const pagesDir = join(folder, pages);
    try {
        if (template !== undefined) {
            await cp(template, folder, { recursive: true });
        }
        await corpus.write(pagesDir);
        return await use(folder, pagesDir);
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
}
