import { renderMarkdown } from "../report/markdown.js";
import { hasPageChanges } from "../report/page-section.js";
import { type ReportOptions, type WritableReport } from "../report/write-report.js";
import { UsageError } from "../command-line/usage-error.js";
import { GithubComments } from "./github-comments.js";
import { githubCommit, readGithubContext } from "./github-context.js";
import { GitlabComments } from "./gitlab-comments.js";
import { gitlabCommit, readGitlabContext } from "./gitlab-context.js";
import { type CommentOutcome, type CommentStore, upsertComment } from "./upsert-comment.js";
import { createHash } from "node:crypto";

export const platforms = ["github", "gitlab"] as const;
export type Platform = (typeof platforms)[number];

/** The options that select the comment. */
export interface CommentOptions {
    comment?: Platform;
    pullRequest?: number;
}

/** Environment variables with tokens that can write comments. The previewed program does not get these variables. */
export const tokenVariables = ["GITHUB_TOKEN", "GITLAB_TOKEN"] as const;

/** Opens the comments of the pull request that this job belongs to. @throws UsageError naming what is missing */
export function openComments(
    platform: Platform,
    env: NodeJS.ProcessEnv,
    pullRequest: number | undefined,
    signal?: AbortSignal,
): CommentStore {
    const options = signal === undefined ? {} : { signal };
    return platform === "github"
        ? new GithubComments(readGithubContext(env, pullRequest), options)
        : new GitlabComments(readGitlabContext(env, pullRequest), options);
}

/** The commit of this CI job, if its environment contains it. */
export function commitOf(env: NodeJS.ProcessEnv): string | undefined {
    return env["GITLAB_CI"] ? gitlabCommit(env) : githubCommit(env);
}

/** Writes a report's comment. @throws UsageError if the report lacks the project or the stack */
export async function writeComment(
    store: CommentStore,
    { report, clean }: WritableReport,
    { commit, folder = "" }: Pick<ReportOptions, "commit" | "folder">,
): Promise<CommentOutcome> {
    const { project, stack, outcome } = report;
    if (project === "" || stack === "") {
        throw new UsageError(
            "The comment belongs to a project and a stack, but the preview ended before it named them: pass --project " +
                "and --stack.",
        );
    }
    const text = renderMarkdown(report, clean, { commit, folder });
    return upsertComment(store, {
        marker: markerOf({ project, stack, folder }),
        markdown: text,
        onlyUpdate: outcome === "unchanged" && !hasPageChanges(report),
    });
}

/** Identifies a comment: each project, stack and folder has its own comment. */
interface CommentOwner {
    project: string;
    stack: string;
    /** Folder of the program in the repository; empty for the root. */
    folder: string;
}

/**
 * The hidden first line that identifies a comment. A hash is used, so that no name can break out of the HTML comment.
 */
export function markerOf({ project, stack, folder }: CommentOwner): string {
    const hash = createHash("sha256")
        .update(JSON.stringify([project, stack, folder]))
        .digest("hex");
    return `<!-- static-export-preview ${hash.slice(0, 32)} -->`;
}
