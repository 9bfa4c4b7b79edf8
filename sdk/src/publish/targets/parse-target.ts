import { beginningOf } from "@pulumi-static-export/contract";
import { posix, sep, win32 } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { trimTrailing } from "@pulumi-static-export/contract";
import { bucketName } from "@pulumi-static-export/contract/bucket";
import { PublishError } from "../errors/publish-error.js";
import { isBelowRecords, ownFolder } from "../records/site-record.js";

/** The place that a site is published to. */
export type TargetAddress =
    | { readonly kind: "bucket"; readonly bucket: string; readonly prefix: string }
    | { readonly kind: "container"; readonly container: string; readonly prefix: string }
    | { readonly kind: "folder"; readonly folder: string };

/** A valid name of a container in Azure Blob Storage. */
export const containerName = /^(\$web|\$root|(?=.{3,63}$)[a-z\d]+(-[a-z\d]+)*)$/;

const exampleOnWindows = "file:///C:/srv/docs";

/** Reads `s3://BUCKET/PREFIX`, `az://CONTAINER/PREFIX` or `file://FOLDER`. @throws PublishError */
export function parseTarget(text: string, isWindows = sep === "\\"): TargetAddress {
    const folder = isWindows ? exampleOnWindows : "file:///srv/docs";
    const examples = `s3://BUCKET/PREFIX, az://CONTAINER/PREFIX or ${folder}`;
    const [, scheme, rest = ""] = /^([a-z][a-z\d+.-]*):\/\/(.*)$/is.exec(text) ?? [];
    if (scheme === "s3") {
        const { root: bucket, prefix } = parsePrefix(text, rest);
        if (!bucketName.test(bucket)) {
            throw new PublishError(`${text} names no bucket: pass ${examples}.`);
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
        if (rest === "") {
            throw new PublishError(`${text} names no folder: pass ${examples}.`);
        }
        return { kind: "folder", folder: parseFolder(text, rest, isWindows) };
    }
    throw new PublishError(`"${beginningOf(text, 100)}" is not a place for a site: pass ${examples}.`);
}

/** Reads the address of a folder, which may be relative to this process's folder. */
function parseFolder(text: string, rest: string, isWindows: boolean): string {
    const { isAbsolute, resolve } = isWindows ? win32 : posix;
    const isOnDisk = isWindows && /^[\\/]*[a-z][:|]/i.test(rest);
    const isOnShare = isWindows && /^[\\/]{2}/.test(rest) && !isOnDisk;
    const base = pathToFileURL(`${process.cwd()}/`);
    // URLs drop or replace these characters, so that the address would be that of another folder.
    const name = rest.replace(isWindows ? /\s/g : /[\s|\\]/g, encodeURIComponent);
    const root = isOnShare ? "file://" : "file:///";
    const address = isAbsolute(rest) || isOnDisk ? root + name.replace(/^[\\/]+/, "") : `./${name}`;
    try {
        const url = new URL(address, base);
        if (url.search === "" && url.hash === "" && !/[?#]/.test(rest)) {
            return resolve(fileURLToPath(url, { windows: isWindows }));
        }
    } catch {
        // The address is not encoded correctly.
    }
    if (isWindows && isAbsolute(rest) && !isOnShare && !isOnDisk) {
        throw new PublishError(`${text} names no disk: pass ${exampleOnWindows} or file:////SERVER/SHARE/docs.`);
    }
    throw new PublishError(`${text} is not the address of a folder: write "%" as %25, "#" as %23, and "?" as %3F.`);
}

/** Splits an address into the bucket or container, and the folder in it. */
function parsePrefix(text: string, rest: string): { root: string; prefix: string } {
    // The ARN of an access point contains a slash.
    const slash = rest.indexOf("/", rest.startsWith("arn:") ? rest.indexOf("/") + 1 : 0);
    const root = slash === -1 ? rest : rest.slice(0, slash);
    const folder = slash === -1 ? "" : trimTrailing(rest.slice(slash + 1), "/");
    const isPrefix = /^([\w.~-]+(\/[\w.~-]+)*)?$/.test(folder) && !/(^|\/)\.{1,2}(\/|$)/.test(folder);
    if (!isPrefix) {
        throw new PublishError(`${text} has a prefix with characters other than letters, digits, ".", "_", "~", "-".`);
    }
    if (isBelowRecords(`${folder}/`)) {
        throw new PublishError(
            `${text} is a place for the records of a site: publish to the folder above ${ownFolder}.`,
        );
    }
    return { root, prefix: folder === "" ? "" : `${folder}/` };
}
