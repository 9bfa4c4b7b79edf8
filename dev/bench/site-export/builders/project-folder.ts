import { cp, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Corpus } from "../corpus.js";

interface ProjectFolder {
    /** The folder's path up to the part that makes it new. */
    readonly prefix: string;
    /** A folder to begin with. */
    readonly template?: string;
    /** Where the pages go, in the folder. */
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
