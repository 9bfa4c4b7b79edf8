import { createHash } from "node:crypto";

/** Identifies a comment: each project, stack and folder has its own. */
export interface CommentOwner {
    project: string;
    stack: string;
    /** Folder of the program in the repository; empty for the root. */
    folder: string;
}

/** The hidden first line that identifies a comment. A hash, so that no name can break out of the HTML comment. */
export function markerOf({ project, stack, folder }: CommentOwner): string {
    const hash = createHash("sha256")
        .update(JSON.stringify([project, stack, folder]))
        .digest("hex");
    return `<!-- static-export-preview ${hash.slice(0, 32)} -->`;
}
