/** Where an export's files go. A failure surfaces at a later call, at the latest at the end. */
export interface SiteOutput {
    write(file: string, content: string): Promise<void>;
    /** Writes what the descriptor holds, and closes it. */
    copy(file: string, descriptor: number): Promise<void>;
}

export async function writeAll(
    output: SiteOutput,
    files: Iterable<readonly [file: string, content: string]>,
): Promise<void> {
    for (const [file, content] of files) {
        await output.write(file, content);
    }
}
