import { resolveLinks } from "@pulumi-static-export/contract/resolve-links";
import { basename, dirname, join, relative } from "node:path";
import { isWithin } from "./is-within.js";

/** The link with which Kubernetes replaces all files of a mounted ConfigMap atomically. */
const dataLink = "..data";

/**
 * Returns the path that decides whether the target of a link in `folder` is published. A mounted ConfigMap consists of
 * links into a hidden folder next to the links; its files count as if they were at the paths of the links.
 * @param folder - with links resolved, as `realPath` returns it
 */
export function placeOf(realPath: string, folder: string): string {
    const data = dataFolderOf(folder);
    return data !== undefined && isWithin(data, realPath) ? join(folder, relative(data, realPath)) : realPath;
}

/**
 * Applies only to a folder with the name and location that Kubernetes uses, so that no link publishes another hidden
 * folder.
 */
function dataFolderOf(folder: string): string | undefined {
    let data: string;
    try {
        data = resolveLinks(join(folder, dataLink));
    } catch {
        return undefined;
    }
    return dirname(data) === folder && basename(data).startsWith("..") ? data : undefined;
}
