import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const filesPerFolder = 100;
/** Every tenth file is an asset with the digest of its content in its name. */
const assetEvery = 10;
const writesAtOnce = 64;

/** Writes a site with the given number of files, each of 1 to 16 kB: pages, and assets with a digest in their name. */
export async function writeSite(folder: string, files: number): Promise<void> {
    await mkdir(folder);
    for (let part = 0; part * filesPerFolder < files; part += 1) {
        await mkdir(join(folder, `part-${part}`));
    }
    let next = 0;
    const writeNext = async () => {
        while (next < files) {
            const index = next++;
            const content = contentOf(index, 1024 * (1 + (index % 16)));
            await writeFile(join(folder, pathOf(index, content)), content);
        }
    };
    await Promise.all(Array.from({ length: writesAtOnce }, writeNext));
    await writeFile(join(folder, "index.html"), "<h1>Home</h1>");
}

/** Changes one page without changing its size. */
export async function changePage(folder: string, version: number): Promise<void> {
    await writeFile(join(folder, "part-0", "page-1.html"), contentOf(1_000_000 + version, 2048));
}

function pathOf(index: number, content: string): string {
    const part = `part-${Math.floor(index / filesPerFolder)}`;
    if (index % assetEvery !== 0) {
        return `${part}/page-${index}.html`;
    }
    const digest = createHash("sha256").update(content).digest("hex").slice(0, 16);
    return `${part}/asset.${digest}a.js`;
}

/** Returns text that differs from file to file, so that no two files have the same content. */
function contentOf(index: number, bytes: number): string {
    const line = `<p>${index}: ${createHash("sha256").update(String(index)).digest("hex")}</p>\n`;
    return line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
}
