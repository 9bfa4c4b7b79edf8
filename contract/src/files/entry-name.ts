/** Why bundles contain no file with a name. */
export type NameFault =
    | "control-character"
    | "broken-character"
    | "backslash"
    | "absolute"
    | "drive"
    | "dots"
    | "too-deep"
    | "long-part"
    | "too-long";

export const maxNameLevels = 64;
/** The limit of file systems for the name of a file or folder. */
export const maxPartBytes = 255;
/** File systems limit paths to 4096 bytes, which include the folder that the bundle is unpacked to. */
export const maxNameBytes = 2048;

/** A name as a path inside the bundle, without its empty parts and `.`, or the reason why no bundle may contain it. */
export type EntryName =
    | { readonly parts: readonly string[]; readonly fault?: undefined }
    | { readonly parts?: undefined; readonly fault: NameFault };

/**
 * Reads the name of a file or folder in a bundle. Those who write bundles and those who unpack them use this one rule,
 * so that nobody writes a bundle that is refused. Accepted names stay inside the bundle's folder on every system.
 */
export function readEntryName(name: string): EntryName {
    const fault = faultOfText(name);
    if (fault !== undefined) {
        return { fault };
    }
    const parts = name.split("/").filter((part) => part !== "" && part !== ".");
    if (parts.includes("..")) {
        return { fault: "dots" };
    }
    if (parts.length > maxNameLevels) {
        return { fault: "too-deep" };
    }
    if (name.length * 3 > maxPartBytes && parts.some((part) => Buffer.byteLength(part) > maxPartBytes)) {
        return { fault: "long-part" };
    }
    return name.length * 3 > maxNameBytes && Buffer.byteLength(name) > maxNameBytes ? { fault: "too-long" } : { parts };
}

/** The fault in a path, wherever the path leads. */
export function faultOfText(path: string): NameFault | undefined {
    // eslint-disable-next-line no-control-regex -- this pattern finds control characters
    if (/[\x00-\x1f\x7f]/.test(path)) {
        return "control-character";
    }
    if (!path.isWellFormed()) {
        return "broken-character";
    }
    if (path.includes("\\")) {
        return "backslash";
    }
    if (path.startsWith("/")) {
        return "absolute";
    }
    return /^[a-z]:/i.test(path) ? "drive" : undefined;
}
