import { execFile } from "node:child_process";
import { cp, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { parseLinkerTrace } from "../../../../dev/cluster/src/local/images/images.js";

const run = promisify(execFile);

/** Copies a program of this machine into the root folder of an image, with the libraries that it needs. */
export async function addProgram(root: string, program: string, target = program): Promise<void> {
    await addFile(root, program, target);
    await addLibraries(root, program);
}

async function addLibraries(root: string, program: string): Promise<void> {
    const { stdout } = await run("ldd", [program]);
    for (const library of parseLinkerTrace(stdout)) {
        await addFile(root, library);
    }
}

export async function addFile(root: string, file: string, target = file): Promise<void> {
    await mkdir(dirname(join(root, target)), { recursive: true });
    await cp(file, join(root, target), { dereference: true });
}
