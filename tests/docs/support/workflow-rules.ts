import { parse } from "yaml";

interface Step {
    uses?: string;
    run?: string;
    with?: Record<string, unknown>;
}

interface Job {
    if?: string;
    permissions?: Record<string, string>;
    steps: Step[];
}

export interface Workflow {
    on: Record<string, unknown>;
    permissions?: Record<string, string>;
    env?: Record<string, string>;
    jobs: Record<string, Job>;
}

const ownBranch = "github.event.pull_request.head.repo.full_name == github.repository";
const ownBranchConditions = [ownBranch, `github.event_name == 'schedule' || ${ownBranch}`];
const defaultBranch = "${{ github.event.repository.default_branch }}";

/** Pages need not pin our own action, because they cannot contain the commit of the release. */
const ownAction = "example--owner/pulumi-static-export@v0";

/**
 * Lists the parts of a GitHub workflow that a pull request could misuse: a secret in a job that runs its code, a script
 * that contains its text, a run of its branch instead of the main branch, or another job's comment.
 */
export function workflowFaults(text: string): string[] {
    const workflow = parse(text) as Workflow;
    const { permissions, jobs } = workflow;
    const usesUnpinned = [...text.matchAll(/uses: (.*)/g)].filter(
        ([, action = ""]) =>
            action !== ownAction && !/^(?:actions\/[\w/-]+|NuGet\/login)@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(action),
    );
    return [
        ...(permissions === undefined || mayWrite(permissions) ? ["grants more than reading by default"] : []),
        ...usesUnpinned.map(([, action]) => `does not pin ${action} by its commit and version`),
        ...("pull_request_target" in workflow.on ? ["runs on pull_request_target"] : []),
        ...Object.entries(jobs).flatMap(([name, job]) =>
            [...accessFaults(workflow, job), ...job.steps.flatMap(stepFaults)].map((fault) => `${name} ${fault}`),
        ),
    ];
}

const mayWrite = (permissions: Record<string, string> = {}) => Object.values(permissions).includes("write");

/** Lists the reasons why a job with a secret or write access could run code of a pull request. */
function accessFaults({ on, env = {} }: Workflow, job: Job): string[] {
    const isTrusted = mayWrite(job.permissions) || /\bsecrets\./.test(JSON.stringify([env, job]));
    if (!isTrusted) {
        return [];
    }
    if ("pull_request" in on && !ownBranchConditions.includes(job.if ?? "")) {
        return ["gives a secret or write access to pull requests from forks"];
    }
    const checkouts = job.steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    return "workflow_run" in on && checkouts.some(({ with: inputs }) => inputs?.["ref"] !== defaultBranch)
        ? ["checks out another ref than the default branch"]
        : [];
}

function stepFaults({ uses = "", run = "", with: inputs = {} }: Step): string[] {
    const script = run + (typeof inputs["script"] === "string" ? inputs["script"] : "");
    const keepsToken = uses.startsWith("actions/checkout@") && inputs["persist-credentials"] !== false;
    return [
        ...(keepsToken ? ["leaves its token in the checkout"] : []),
        ...(script.includes("${{") ? ["puts an expression into a script"] : []),
        ...scriptFaults(script),
    ];
}

/** Lists the faults in the scripts of an example, including scripts that a workflow calls. */
export function scriptFaults(script: string): string[] {
    const listsRuns = /\bgh run list\b|\/actions\/(?:workflows\/[^/\s]+\/)?runs(?![/\w])/.test(script);
    const takesOwnRuns =
        /\bevent=push\b/.test(script) && script.includes(".head_repository.full_name == env.GITHUB_REPOSITORY");
    return [
        ...(listsRuns && !takesOwnRuns ? ["takes a run that a fork may have started"] : []),
        ...(/\/actions\/artifacts\?|\bgh run download +-/.test(script) ? ["takes an artifact of any run"] : []),
        ...(/--(?:edit|delete)-last\b/.test(script) ? ["changes the last comment instead of its own"] : []),
    ];
}
