import { runVariable } from "./stack-settings.js";

/** A CI system where a repeated run, or a repeated part of a run, keeps the run's id. */
interface CiSystem {
    /** A variable that is set in every job of the system. */
    marker: string;
    /** The variable with the id of the run. */
    variable: string;
    /** The CI system's documentation of the variable. */
    source: string;
}

/**
 * Contains only systems where all attempts of a run share an id. The following systems give each attempt a new id:
 * Drone and Woodpecker (a restart is a new build), TeamCity (a new build), AWS CodeBuild and Google Cloud Build (a
 * retry is a new build), Pulumi Deployments (a new deployment). Codefresh does not document its behaviour. CircleCI's
 * CIRCLE_WORKFLOW_ID changes, but the id of the workspace does not. On systems that are not listed, set
 * STATIC_EXPORT_RUN_ID.
 */
export const pipelineSystems: Readonly<Record<string, CiSystem>> = {
    "GitHub Actions": {
        marker: "GITHUB_ACTIONS",
        variable: "GITHUB_RUN_ID",
        source: "https://docs.github.com/en/actions/reference/workflows-and-actions/variables",
    },
    "GitLab CI": {
        marker: "GITLAB_CI",
        variable: "CI_PIPELINE_ID",
        source: "https://docs.gitlab.com/ci/variables/predefined_variables/",
    },
    "Azure Pipelines": {
        marker: "TF_BUILD",
        variable: "BUILD_BUILDID",
        source: "https://learn.microsoft.com/en-us/azure/devops/pipelines/build/variables",
    },
    CircleCI: {
        marker: "CIRCLECI",
        variable: "CIRCLE_WORKFLOW_WORKSPACE_ID",
        source: "https://circleci.com/docs/reference/variables/",
    },
    Buildkite: {
        marker: "BUILDKITE",
        variable: "BUILDKITE_BUILD_ID",
        source: "https://buildkite.com/docs/pipelines/configure/environment-variables",
    },
    Jenkins: {
        marker: "JENKINS_URL",
        variable: "BUILD_TAG",
        source: "https://www.jenkins.io/doc/book/pipeline/jenkinsfile/#using-environment-variables",
    },
    "Bitbucket Pipelines": {
        marker: "BITBUCKET_PIPELINE_UUID",
        variable: "BITBUCKET_PIPELINE_UUID",
        source: "https://support.atlassian.com/bitbucket-cloud/docs/variables-and-secrets/",
    },
    "Travis CI": {
        marker: "TRAVIS",
        variable: "TRAVIS_BUILD_ID",
        source: "https://docs.travis-ci.com/user/environment-variables/",
    },
    AppVeyor: {
        marker: "APPVEYOR",
        variable: "APPVEYOR_BUILD_ID",
        source: "https://www.appveyor.com/docs/environment-variables/",
    },
    Semaphore: {
        marker: "SEMAPHORE",
        variable: "SEMAPHORE_PIPELINE_ARTEFACT_ID",
        source: "https://docs.semaphoreci.com/reference/env-vars",
    },
};

/**
 * Identifies the pipeline run that this process belongs to, with the same value on every machine of the run: the user's
 * setting, otherwise the id from the CI system. Undefined outside of pipelines.
 *
 * @param configured - the setting in the stack's configuration, which takes precedence over the environment
 */
export function findPipelineRun(env: NodeJS.ProcessEnv, configured?: string): string | undefined {
    const setting = configured || env[runVariable];
    if (setting) {
        return `${runVariable}=${setting}`;
    }
    const found = Object.values(pipelineSystems).find(({ marker, variable }) => env[marker] && env[variable]);
    return found && `${found.variable}=${env[found.variable]}`;
}
