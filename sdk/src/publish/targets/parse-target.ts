import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { PublishError } from "../errors/publish-error.js";

/** The place that a site is published to. */
export type TargetAddress =
    | { readonly kind: "bucket"; readonly bucket: string; readonly prefix: string }
    | { readonly kind: "container"; readonly container: string; readonly prefix: string }
    | { readonly kind: "folder"; readonly folder: string };

/** A valid name of a container in Azure Blob Storage. */
export const containerName = /^(\$web|\$root|(?=.{3,63}$)[a-z\d]+(-[a-z\d]+)*)$/;

const examples = "s3://BUCKET/PREFIX, az://CONTAINER/PREFIX or file:///srv/docs";

/** Reads `s3://BUCKET/PREFIX`, `az://CONTAINER/PREFIX` or `file://FOLDER`. @throws PublishError */
export function parseTarget(text: string): TargetAddress {
    const [, scheme, rest = ""] = /^([a-z][a-z\d+.-]*):\/\/(.*)$/i.exec(text) ?? [];
    if (scheme === "s3") {
        const { root: bucket, prefix } = parsePrefix(text, rest);
        if (!/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(bucket)) {
            throw new PublishError(
                bucket === ""
                    ? `${text} names no bucket: pass ${examples}.`
                    : `${text}: the name of a bucket has 3 to 63 characters: lower-case letters, digits, "." and "-".`,
            );
        }
        return { kind: "bucket", bucket, prefix };
    }
    if (scheme === "az") {
        const { root: container, prefix } = parsePrefix(text, rest);
        if (!containerName.test(container)) {
            const shell = "In a shell, write 'az://$web' in single quotes: otherwise, the shell replaces $web.";
            throw new PublishError(`${text} names no container: pass ${examples}. ${shell}`);
        }
        return { kind: "container", container, prefix };
    }
    if (scheme === "file") {
        const folder = isAbsolute(rest) ? fileURLToPath(text) : resolve(rest);
        if (rest === "") {
            throw new PublishError(`${text} names no folder: pass ${examples}.`);
        }
        return { kind: "folder", folder };
    }
    throw new PublishError(`"${text.slice(0, 100)}" is not a place for a site: pass ${examples}.`);
}

/** Splits an address into the bucket or container, and the folder in it. */
function parsePrefix(text: string, rest: string): { root: string; prefix: string } {
    const slash = rest.indexOf("/");
    const root = slash === -1 ? rest : rest.slice(0, slash);
    const folder = slash === -1 ? "" : rest.slice(slash + 1).replace(/\/+$/, "");
    const isPrefix = /^([\w.~-]+(\/[\w.~-]+)*)?$/.test(folder) && !/(^|\/)\.{1,2}(\/|$)/.test(folder);
    if (!isPrefix) {
        throw new PublishError(`${text} has a prefix with characters other than letters, digits, ".", "_", "~", "-".`);
    }
    return { root, prefix: folder === "" ? "" : `${folder}/` };
}
