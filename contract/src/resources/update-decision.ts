import { isSameValue } from "./same-value.js";

/** The values of a program, or of a state, on which the decision depends. */
interface UpdateValues {
    readonly triggers?: unknown;
    readonly expectedCommit?: unknown;
    readonly pendingJobId?: unknown;
    readonly statusId?: unknown;
    readonly commit?: unknown;
}

/** The work of a `DocumentationUpdate` in place: to start an update, or to wait for the pending one. */
export type UpdateDecision = "start" | "resume";

/** Whether a published commit is the expected one, which may be shortened. */
export function isExpectedCommit(sha: string | undefined, expectedCommit: string): boolean {
    return sha?.toLowerCase().startsWith(expectedCommit.toLowerCase()) ?? false;
}

/**
 * Decides what `pulumi up` does with a `DocumentationUpdate` whose project is the same. The provider follows this
 * decision, and the report on a pull request shows it. Undefined if there is nothing to do.
 */
export function decideDocumentationUpdate(
    olds: UpdateValues,
    { triggers, expectedCommit }: UpdateValues,
    isSame: (before: unknown, after: unknown) => boolean = isSameValue,
): UpdateDecision | undefined {
    const isOtherCommit = expectedCommit !== undefined && !isSame(olds.expectedCommit, expectedCommit);
    if (!isSame(olds.triggers, triggers) || (isOtherCommit && !isPublished(olds, expectedCommit))) {
        return "start";
    }
    if (olds.pendingJobId !== undefined) {
        return "resume";
    }
    return olds.statusId === undefined ? "start" : undefined;
}

function isPublished({ pendingJobId, commit }: UpdateValues, expectedCommit: unknown): boolean {
    const sha = typeof commit === "object" && commit !== null && "sha" in commit ? commit.sha : undefined;
    return (
        pendingJobId === undefined &&
        typeof sha === "string" &&
        typeof expectedCommit === "string" &&
        isExpectedCommit(sha, expectedCommit)
    );
}
