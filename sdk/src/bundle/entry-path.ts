import { beginningOf, faultOfText, type NameFault, readEntryName } from "@pulumi-static-export/contract";
import { BundleError } from "../errors/index.js";

/** A checked path inside the bundle: segments without `.`, `..`, separators and control characters. */
export type EntryPath = readonly string[];

const faults: Readonly<Record<NameFault, string>> = {
    "control-character": "has control characters in its path",
    "broken-character": "has half of a character in its path",
    backslash: "has a backslash in its path",
    absolute: "has an absolute path",
    drive: "has a drive letter in its path",
    dots: 'has ".." in its path',
    "too-deep": "has a path that is too long",
    "long-part": "has a path that is too long",
    "too-long": "has a path that is too long",
};

/** Makes an entry's name safe for a message. */
export function quoteName(name: string): string {
    const shown = name.replace(/\p{C}/gu, "?");
    return `"${shown.length <= 120 ? shown : `${beginningOf(shown, 120)}…`}"`;
}

/**
 * Returns the path of an entry, which is empty for the bundle's root folder.
 * @throws BundleError for a path that leaves the folder on any system: absolute, with `..`, a drive letter, backslashes
 * or control characters
 */
export function checkEntryPath(name: string): EntryPath {
    const { parts, fault } = readEntryName(name);
    if (parts === undefined) {
        throw new BundleError("unsafe-path", `the entry ${quoteName(name)} ${faults[fault]}`);
    }
    return parts;
}

/** Whether a name is a path inside the bundle as {@link checkEntryPath} would return it. */
export function isEntryPath(name: string): boolean {
    return name !== "" && readEntryName(name).parts?.join("/") === name;
}

/**
 * Returns the target path of a link in the folder `from`.
 * @throws BundleError when it is outside of the bundle
 */
export function checkLinkTarget(name: string, from: EntryPath, target: string): EntryPath {
    const refuse = (why: string) =>
        new BundleError("unsafe-link", `the link ${quoteName(name)} to ${quoteName(target)} ${why}`);
    const fault = faultOfText(target);
    if (fault !== undefined || target === "") {
        throw refuse(fault === undefined ? "leads nowhere" : faults[fault]);
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
