import { runVariable } from "./settings.js";

/** A CI system whose runs have an id that stays when a run, or a part of it, is run again. */
interface CiSystem {
    /** Set in every job of the system. */
    marker: string;
    /** The id of the run. */
    variable: string;
    /** Where the system says what the variable holds. */
    source: string;
}

/**
 * Only ids that stay: two attempts of one run have the same. These systems give an attempt a new id, so they are not
 * here: Drone and Woodpecker (a restart is a new build), TeamCity (a new build), AWS CodeBuild and Google Cloud Build (a
 * retry is a new build), Pulumi Deployments (a new deployment); of Codefresh it is not documented. CircleCI's
 * CIRCLE_WORKFLOW_ID changes, and its workspace's id does not. With these, set STATIC_EXPORT_RUN_ID.
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
 * What identifies the run of the pipeline that this process belongs to, on every machine that the run gets: the setting
 * of the user, or else the id that a CI system gives. Undefined outside of pipelines.
 *
 * @param configured - what the configuration says, which takes precedence over the environment
 */
export function findPipelineRun(env: NodeJS.ProcessEnv, configured?: string): string | undefined {
    const setting = configured || env[runVariable];
    if (setting) {
        return `${runVariable}=${setting}`;
    }
    const found = Object.values(pipelineSystems).find(({ marker, variable }) => env[marker] && env[variable]);
    return found && `${found.variable}=${env[found.variable]}`;
}
