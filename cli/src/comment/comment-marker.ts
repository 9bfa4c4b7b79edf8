import { createHash } from "node:crypto";

/** Whose comment it is: each project, stack and folder has one of its own. */
export interface CommentOwner {
    project: string;
    stack: string;
    /** Of the program, in the repository; empty for its root. */
    folder: string;
}

/** The hidden first line by which a comment is found again. A hash, so that no name can end the line. */
export function markerOf({ project, stack, folder }: CommentOwner): string {
    const hash = createHash("sha256")
        .update(JSON.stringify([project, stack, folder]))
        .digest("hex");
    return `<!-- static-export-preview ${hash.slice(0, 32)} -->`;
}
