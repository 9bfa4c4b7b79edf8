import { cp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { run } from "@pulumi-static-export/toolchain";
import { archiveImage, imageName, imageRootOf, type ImageSettings } from "./archive-image.js";
import { createRootFolder } from "./root-folder.js";

/** A container image built from the files of a Debian root folder. */
export interface ImageRecipe extends ImageSettings {
    /** Programs of the root folder to copy, each with the shared libraries it needs. */
    readonly programs: readonly string[];
    /** Other files of the root folder to copy. */
    readonly copies: readonly string[];
    /** Text files by their path. */
    readonly files: Readonly<Record<string, string>>;
    /** Targets of symbolic links by the links' paths. */
    readonly links: Readonly<Record<string, string>>;
    /** Empty folders. */
    readonly folders: readonly string[];
}

/** Returns the folder of an image's archive in the root folder, for containerd. */
export function imageArchive(recipe: Pick<ImageRecipe, "reference">): string {
    return `/opt/images/${path.posix.basename(imageName(recipe))}.tar`;
}

/** Writes an image into the root folder, as an archive of an OCI layout, using the umoci in the root folder. */
export async function buildImage(recipe: ImageRecipe, debianRoot: string, signal?: AbortSignal): Promise<void> {
    const folder = path.join(debianRoot, "build");
    try {
        const imageRoot = imageRootOf(folder);
        await createRootFolder(imageRoot);
        await fillImageRoot(recipe, debianRoot, imageRoot, signal);
        const runInside = (command: readonly string[]) => run("chroot", [debianRoot, ...command], { signal });
        const archive = path.join(debianRoot, imageArchive(recipe));
        await mkdir(path.dirname(archive), { recursive: true });
        await archiveImage(recipe, { folder, inside: "/build", run: runInside }, archive);
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
}

async function fillImageRoot(
    { programs, copies, files, links, folders }: ImageRecipe,
    debianRoot: string,
    imageRoot: string,
    signal: AbortSignal | undefined,
): Promise<void> {
    const needed = new Set([...programs, ...copies]);
    for (const program of programs) {
        for (const library of await sharedLibraries(debianRoot, program, signal)) {
            needed.add(library);
        }
    }
    for (const file of needed) {
        // Libraries are links to files with longer names; they are copied under the link's name, which programs use.
        await cp(path.join(debianRoot, file), path.join(imageRoot, file), { recursive: true, dereference: true });
    }
    for (const folder of folders) {
        await mkdir(path.join(imageRoot, folder), { recursive: true });
    }
    for (const [file, text] of Object.entries(files)) {
        await mkdir(path.dirname(path.join(imageRoot, file)), { recursive: true });
        await writeFile(path.join(imageRoot, file), text);
    }
    for (const [link, target] of Object.entries(links)) {
        await symlink(target, path.join(imageRoot, link));
    }
}

/** Runs the root folder's dynamic linker; programs that do not use a dynamic linker have no libraries. */
async function sharedLibraries(root: string, program: string, signal: AbortSignal | undefined): Promise<string[]> {
    const command = ["/bin/busybox", "env", "LD_TRACE_LOADED_OBJECTS=1", program];
    return parseLinkerTrace(await run("chroot", [root, ...command], { signal }));
}

/** Parses the dynamic linker's output with `LD_TRACE_LOADED_OBJECTS=1`, which has the format of ldd. */
export function parseLinkerTrace(trace: string): string[] {
    return trace.split("\n").flatMap((line) => /(?:=> |^\s*)(\/\S+) \(0x/.exec(line)?.[1] ?? []);
}
