import { PlatformError } from "./platform-error.js";

/** A comment of the platform. */
export interface Comment {
    id: number;
    body: string;
}

/** The comments of one pull request, or of one merge request. */
export interface CommentStore {
    /** The comments that the owner of the token has written, on all pages, the oldest first. */
    listOwn(): AsyncIterable<Comment>;
    create(body: string): Promise<void>;
    /** False when the comment is gone. */
    update(id: number, body: string): Promise<boolean>;
}

export type CommentOutcome = "created" | "updated" | "none";

export interface CommentText {
    marker: string;
    markdown: string;
    /** There is nothing to tell: a comment that says otherwise is updated, and none is created. */
    onlyUpdate: boolean;
}

const rounds = 3;

/**
 * Writes the one comment that begins with the marker: updates it where it is, and else creates it. A comment that was
 * deleted meanwhile is created anew; where a creation got no answer, its comment is looked for before the next one.
 */
export async function upsertComment(store: CommentStore, text: CommentText): Promise<CommentOutcome> {
    for (let round = 1; ; round += 1) {
        try {
            return await upsertOnce(store, text);
        } catch (error) {
            if (!isAmbiguous(error) || round === rounds) {
                throw error;
            }
        }
    }
}

async function upsertOnce(store: CommentStore, { marker, markdown, onlyUpdate }: CommentText): Promise<CommentOutcome> {
    const body = `${marker}\n${markdown}`;
    for await (const comment of store.listOwn()) {
        if (comment.body.startsWith(marker) && (await store.update(comment.id, body))) {
            return "updated";
        }
    }
    if (onlyUpdate) {
        return "none";
    }
    await store.create(body);
    return "created";
}

/** Nobody knows whether it was done. Reads and updates have been repeated already when this is seen. */
function isAmbiguous(error: unknown): boolean {
    return error instanceof PlatformError && error.isAmbiguous;
}
