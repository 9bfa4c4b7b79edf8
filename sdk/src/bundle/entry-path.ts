import { BundleError } from "../errors/index.js";

/** A checked path inside the bundle: segments without `.`, `..`, separators and control characters. */
export type EntryPath = readonly string[];

const maxSegmentBytes = 255;
const maxDepth = 64;

/** Makes an entry's name safe for a message. */
export function quoteName(name: string): string {
    const shown = name.replace(/\p{C}/gu, "?");
    return `"${shown.length <= 120 ? shown : `${shown.slice(0, 120)}…`}"`;
}

/**
 * Returns the path of an entry, which is empty for the bundle's root folder.
 * @throws BundleError for a path that leaves the folder on any system: absolute, with `..`, a drive letter, backslashes
 * or control characters
 */
export function checkEntryPath(name: string): EntryPath {
    const refuse = (why: string) => new BundleError("unsafe-path", `the entry ${quoteName(name)} ${why}`);
    const unportable = findUnportable(name);
    if (unportable !== undefined) {
        throw refuse(unportable);
    }
    const segments = name.split("/").filter((segment) => segment !== "" && segment !== ".");
    if (segments.includes("..")) {
        throw refuse('has ".." in its path');
    }
    if (segments.length > maxDepth || segments.some((segment) => Buffer.byteLength(segment) > maxSegmentBytes)) {
        throw refuse("has a path that is too long");
    }
    return segments;
}

/** Whether a name is a path inside the bundle as {@link checkEntryPath} would return it. */
export function isEntryPath(name: string): boolean {
    try {
        return name !== "" && checkEntryPath(name).join("/") === name;
    } catch {
        return false;
    }
}

/**
 * Returns the target path of a link in the folder `from`.
 * @throws BundleError when it is outside of the bundle
 */
export function checkLinkTarget(name: string, from: EntryPath, target: string): EntryPath {
    const refuse = (why: string) =>
        new BundleError("unsafe-link", `the link ${quoteName(name)} to ${quoteName(target)} ${why}`);
    const unportable = findUnportable(target);
    if (unportable !== undefined || target === "") {
        throw refuse(unportable ?? "leads nowhere");
    }
    const path = [...from];
    for (const segment of target.split("/")) {
        if (segment === ".." && path.pop() === undefined) {
            throw refuse("leaves the folder");
        }
        if (segment !== "" && segment !== "." && segment !== "..") {
            path.push(segment);
        }
    }
    return path;
}

function findUnportable(path: string): string | undefined {
    // eslint-disable-next-line no-control-regex -- control characters are what is looked for
    if (/[\x00-\x1f\x7f]/.test(path)) {
        return "has control characters in its path";
    }
    if (path.includes("\\")) {
        return "has a backslash in its path";
    }
    if (path.startsWith("/")) {
        return "has an absolute path";
    }
    return /^[a-z]:/i.test(path) ? "has a drive letter in its path" : undefined;
}
