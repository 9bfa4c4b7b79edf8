/** Returns the prefixes of all folders that contain a prefix, which ends with a slash, the nearest first. */
export function foldersAbove(prefix: string): string[] {
    const folders: string[] = [];
    for (let rest = prefix; rest !== "";) {
        rest = rest.replace(/[^/]+\/$/, "");
        folders.push(rest);
    }
    return folders;
}
