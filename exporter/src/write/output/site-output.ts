import { ownFolder } from "../../read/files/published-names.js";

/**
 * The destination of an export's files. The error of a failed call may be thrown by a later call, or by the last.
 */
export interface SiteOutput {
    write(file: string, content: string | Uint8Array): Promise<void>;
    /** Copies the file of the descriptor, and closes the descriptor. */
    copy(file: string, descriptor: number): Promise<void>;
}

/** An output that renames each file before it passes it to `output`. */
export function withNames(output: SiteOutput, nameOf: (file: string) => string): SiteOutput {
    return {
        write: (file, content) => output.write(nameOf(file), content),
        copy: (file, descriptor) => output.copy(nameOf(file), descriptor),
    };
}

export async function writeAll(
    output: SiteOutput,
    files: Iterable<readonly [file: string, content: string]>,
): Promise<void> {
    for (const [file, content] of files) {
        await output.write(file, content);
    }
}

/** Writes the export's label. No other file contains it, so that publishing a version sends only what has changed. */
export async function writeVersion(root: SiteOutput, version: string | undefined): Promise<void> {
    if (version !== undefined) {
        await root.write(`${ownFolder}/version.json`, `${JSON.stringify({ version })}\n`);
    }
}
