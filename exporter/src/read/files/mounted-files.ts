import { realpathSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { isWithin } from "./is-within.js";

/** The link by which Kubernetes replaces all files of a mounted ConfigMap at once. */
const dataLink = "..data";

/**
 * Where a file counts as lying that a link in `folder` leads to. A mounted ConfigMap consists of links into a hidden
 * folder
 * beside them; its files count as lying where these links lie.
 *
 * @param folder - with links resolved, as `realPath`
 */
export function placeOf(realPath: string, folder: string): string {
    const data = dataFolderOf(folder);
    return data !== undefined && isWithin(data, realPath) ? join(folder, relative(data, realPath)) : realPath;
}

/** Only a folder that is named and placed as Kubernetes does it, so that no link makes another hidden folder public. */
function dataFolderOf(folder: string): string | undefined {
    let data: string;
    try {
        data = realpathSync(join(folder, dataLink));
    } catch {
        return undefined;
    }
    return dirname(data) === folder && basename(data).startsWith("..") ? data : undefined;
}
