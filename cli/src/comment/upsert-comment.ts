import { ForgeError } from "@pulumi-static-export/service/forge";

/** A comment on GitHub or a note on GitLab. */
export interface Comment {
    id: number;
    body: string;
}

/** The comments on one pull request or merge request. */
export interface CommentStore {
    /** The comments by the token's owner, from all pages, oldest first. */
    listOwn(): AsyncIterable<Comment>;
    create(body: string): Promise<void>;
    /** False if the comment no longer exists. */
    update(id: number, body: string): Promise<boolean>;
}

export type CommentOutcome = "created" | "updated" | "none";

interface CommentText {
    marker: string;
    markdown: string;
    /** Whether to update an existing comment but not create one, because there are no changes to report. */
    onlyUpdate: boolean;
}

const rounds = 3;

/**
 * Writes the one comment that begins with the marker: updates it if it exists, otherwise creates it. Creates the
 * comment again if it was deleted in the meantime. If creating the comment gets no response, looks for the comment
 * before a retry.
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

/**
 * Whether the comment may have been created despite the error. Reads and updates were already retried at this point.
 */
function isAmbiguous(error: unknown): boolean {
    return error instanceof ForgeError && error.isAmbiguous;
}
