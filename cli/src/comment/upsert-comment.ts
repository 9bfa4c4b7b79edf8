import { type ForgeClient, ForgeError } from "@pulumi-static-export/service/forge";

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
    /** Also succeeds if the comment no longer exists. */
    remove(id: number): Promise<void>;
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
    if (await updateFirst(store, marker, body)) {
        return "updated";
    }
    if (onlyUpdate) {
        return "none";
    }
    await store.create(body);
    // Another run may have created a comment at the same time: both runs keep the older one.
    await updateFirst(store, marker, body, 2);
    return "created";
}

/**
 * Updates the oldest comment that begins with the marker, and removes the others.
 *
 * @param least - how many such comments there must be
 */
async function updateFirst(store: CommentStore, marker: string, body: string, least = 1): Promise<boolean> {
    const marked: Comment[] = [];
    for await (const comment of store.listOwn()) {
        if (comment.body.startsWith(marker)) {
            marked.push(comment);
        }
    }
    let isUpdated = false;
    for (const { id } of marked.length < least ? [] : marked) {
        if (isUpdated) {
            await store.remove(id);
        } else {
            isUpdated = await store.update(id, body);
        }
    }
    return isUpdated;
}

/**
 * Whether the comment may have been created despite the error. Reads and updates were already retried at this point.
 */
function isAmbiguous(error: unknown): boolean {
    return error instanceof ForgeError && error.isAmbiguous;
}

/** @returns false if the comment no longer exists */
export async function updateIfThere(client: ForgeClient, method: string, path: string, body: string): Promise<boolean> {
    const answer = await client.request(method, path, { body: { body }, accepted: [404] });
    // A gateway's 404 does not have the form of the errors of GitHub and GitLab, and does not mean that somebody has
    // deleted the comment.
    if (answer.status === 404 && typeof (answer.body as { message?: unknown } | null)?.message !== "string") {
        await client.request(method, path, { body: { body } });
        return true;
    }
    return answer.status !== 404;
}
