import { UsageError } from "../command-line/usage-error.js";
import { assertApiUrl, requireVariable } from "./required-variables.js";

/** The merge request to comment on, and the token. */
export interface GitlabContext {
    apiUrl: string;
    projectId: string;
    mergeRequest: number;
    token: string;
}

/** Reads the environment of a job in a merge request pipeline. @throws UsageError naming what is missing */
export function readGitlabContext(env: NodeJS.ProcessEnv, pullRequest: number | undefined): GitlabContext {
    const mergeRequest = pullRequest ?? Number(env["CI_MERGE_REQUEST_IID"] || NaN);
    if (!Number.isInteger(mergeRequest)) {
        throw new UsageError(
            "This job belongs to no merge request: run it where CI_PIPELINE_SOURCE is merge_request_event, or specify one " +
                "with --pull-request <number>.",
        );
    }
    return {
        apiUrl: assertApiUrl("CI_API_V4_URL", env["CI_API_V4_URL"] || "https://gitlab.com/api/v4"),
        // In the pipeline of a fork, CI_PROJECT_ID is the fork, and the merge request belongs to another project.
        projectId:
            env["CI_MERGE_REQUEST_PROJECT_ID"] ||
            requireVariable(env, "CI_PROJECT_ID", "the number or the path of the project"),
        mergeRequest,
        token: requireVariable(env, "GITLAB_TOKEN", "the token that writes the note"),
    };
}

/** The commit of the branch, not of the merged result. */
export function gitlabCommit(env: NodeJS.ProcessEnv): string | undefined {
    return env["CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"] || env["CI_COMMIT_SHA"] || undefined;
}
