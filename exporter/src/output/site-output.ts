/** Where an export's files go. A failure surfaces at a later call, at the latest at the end. */
export interface SiteOutput {
    write(file: string, content: string): Promise<void>;
    /** Writes what the descriptor holds, and closes it. */
    copy(file: string, descriptor: number): Promise<void>;
}
