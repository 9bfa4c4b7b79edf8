import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { PublishError } from "../errors/publish-error.js";

/** Where a site is published to. */
export type TargetAddress =
    | { readonly kind: "bucket"; readonly bucket: string; readonly prefix: string }
    | { readonly kind: "folder"; readonly folder: string };

const examples = "s3://BUCKET/PREFIX or file:///srv/docs";

/** Reads `s3://BUCKET/PREFIX` or `file://FOLDER`. @throws PublishError */
export function parseTarget(text: string): TargetAddress {
    const [, scheme, rest = ""] = /^([a-z][a-z\d+.-]*):\/\/(.*)$/i.exec(text) ?? [];
    if (scheme === "s3") {
        return parseBucket(text, rest);
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

function parseBucket(text: string, rest: string): TargetAddress {
    const slash = rest.indexOf("/");
    const bucket = slash === -1 ? rest : rest.slice(0, slash);
    const folder = slash === -1 ? "" : rest.slice(slash + 1).replace(/\/+$/, "");
    if (!/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(bucket)) {
        throw new PublishError(`${text} names no bucket: pass ${examples}.`);
    }
    const isPrefix = /^([\w.~-]+(\/[\w.~-]+)*)?$/.test(folder) && !/(^|\/)\.{1,2}(\/|$)/.test(folder);
    if (!isPrefix) {
        throw new PublishError(`${text} has a prefix with other characters than letters, digits, ".", "_", "~", "-".`);
    }
    return { kind: "bucket", bucket, prefix: folder === "" ? "" : `${folder}/` };
}
