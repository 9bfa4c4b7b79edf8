import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unpackArchive, type UnpackedArchive } from "../../../sdk/src/bundle/unpack-archive.js";
import type { BundleLimits, OnFile } from "../../../sdk/src/bundle/site-writer.js";
import { readTree, withFolder } from "./files.js";

const smallLimits: BundleLimits = { maxBytes: 200_000, maxFiles: 20 };
export const page = { name: "index.html", content: "<h1>Hi" };

interface Unpacked {
    result: Promise<UnpackedArchive>;
    tree: () => Promise<Record<string, string>>;
    root: string;
}

export async function unpack(
    archive: Buffer,
    run: (unpacked: Unpacked) => Promise<void>,
    { limits = smallLimits, signal, onFile }: { limits?: BundleLimits; signal?: AbortSignal; onFile?: OnFile } = {},
): Promise<void> {
    await withFolder(async (folder) => {
        const root = join(folder, "a", "site");
        await mkdir(root, { recursive: true });
        await writeFile(join(folder, "archive"), archive);
        const result = unpackArchive(join(folder, "archive"), root, limits, signal, { onFile });
        await run({ result, tree: () => readTree(root), root });
        const paths = Object.keys(await readTree(folder)).filter((path) => !path.startsWith("a/site/"));
        assert.deepEqual(paths.sort(), ["a", "a/site", "archive"], "written outside of the folder");
    });
}
