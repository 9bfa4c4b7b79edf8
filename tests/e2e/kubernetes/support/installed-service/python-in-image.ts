import { execFile } from "node:child_process";
import { cp, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { addProgram } from "../image-files.js";

const describePython = `import _ctypes, json, os, sys, sysconfig
print(json.dumps([os.path.realpath(sys.executable), sysconfig.get_path("stdlib"), _ctypes.__file__]))`;

/** Not needed, and large. */
const left = /^(?:(?:site|dist)-packages|test|idlelib|ensurepip|config-.*|__pycache__)$/;

/** Copies this machine's Python into the root folder of an image. */
export async function addPython(root: string): Promise<void> {
    const { stdout } = await promisify(execFile)("python3", ["-c", describePython]);
    const [program, library, ctypes] = JSON.parse(stdout) as [string, string, string];
    await addProgram(root, program);
    await cp(library, join(root, library), { recursive: true, filter: (path) => !left.test(basename(path)) });
    await addProgram(root, ctypes);
    await symlink(program, join(root, "usr/bin/python3"));
}
