import nodePath from "node:path";

/** Returns the path of a file from a folder, as programs and commands read it on every system. */
export function pathFrom(folder: string, file: string, { relative, isAbsolute, sep } = nodePath): string {
    const path = relative(folder, file).replaceAll(sep, "/");
    return path.startsWith(".") || isAbsolute(path) ? path : `./${path}`;
}
