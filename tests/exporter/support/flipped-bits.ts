import { readFile, writeFile } from "node:fs/promises";

/** Flips one bit of a file, like a failing disk. */
export async function flipBit(path: string, bit: number): Promise<void> {
    const content = await readFile(path);
    const index = Math.floor(bit / 8) % content.length;
    content[index] = (content[index] ?? 0) ^ (1 << (bit % 8));
    await writeFile(path, content);
}
