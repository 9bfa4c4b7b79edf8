import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { optionTable } from "../options/option-table.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";
import { assertForgeAddress, assertOnForge } from "../forge/forge-address.js";
import { pullRequestLink, type PullRequestOptions } from "../forge/pull-requests.js";
import { Sandbox } from "../processes/sandbox.js";
import { type CommitOptions, type CommitSettings, resolveCommits } from "./commit-options.js";
import { openPodPlace, type PodPlace, type PodsOptions } from "../pods/pod-jobs.js";
import { assertVariables } from "../pods/pod-settings.js";

/** How to run the prompts of agent jobs. */
export interface AgentOptions {
    /**
     * The program and its arguments. The program runs without a shell, in a checkout of the repository, with the prompt
     * on its standard input. The program's changes to the checkout are the result; an exit code other than 0 is a
     * failure.
     */
    command: readonly string[];
    /**
     * Runs the command with bubblewrap. The command can then use the network, the system's programs and its own
     * folders, but not the files and the memory of the service.
     * @default false
     */
    sandbox?: boolean;
    /**
     * Names of environment variables that the command gets besides the usual ones; their values are replaced
     * by `***` in the log.
     * @default none
     */
    environment?: readonly string[];
    /** Without it, the service pushes the branch, and prLink stays null. @default no pull request */
    pullRequests?: PullRequestOptions;
    /** The author, the message and the signature of commits. */
    commits?: CommitOptions;
    /** Time limit of one prompt. @default that of the flag */
    timeLimitSeconds?: number;
    /** The maximum number of jobs that run at the same time. @default 2 */
    concurrency?: number;
    /** Limit for the memory of the command's processes together, but not in pods. @default 4096 */
    memoryMegabytes?: number | undefined;
    /** Limit for the checkout and the command's temporary files together. @default 2 GiB */
    maxDiskBytes?: number;
    /**
     * Limit for the mirror of one repository, with its history, and for all mirrors that no job uses. @default 8 GiB
     */
    maxMirrorBytes?: number;
    /** Limit for the output of one prompt's run. @default 1 MiB */
    maxLogBytes?: number;
    /** Runs each prompt as a Job of Kubernetes, instead of with `sandbox`. @default on this machine */
    pods?: PodsOptions | undefined;
    /** Where to read the named variables from. @default process.env */
    env?: NodeJS.ProcessEnv;
}

export interface ResolvedAgent {
    command: readonly [string, ...string[]];
    sandbox: Sandbox | undefined;
    /** The values of the named variables. */
    environment: Readonly<Record<string, string>>;
    pullRequests: PullRequestOptions | undefined;
    commits: CommitSettings;
    timeLimitMs: number;
    memoryMegabytes: number;
    concurrency: number;
    maxDiskBytes: number;
    maxMirrorBytes: number;
    maxLogBytes: number;
    pods: PodPlace | undefined;
    env: NodeJS.ProcessEnv;
}

/** @throws ServiceOptionsError */
export function resolveAgent(options: AgentOptions): ResolvedAgent {
    const { sandbox = false, environment = [], pullRequests, env = process.env } = options;
    if (sandbox && options.pods !== undefined) {
        throw new ServiceOptionsError("--agent-sandbox cannot be used with --pods: a pod isolates its agent.");
    }
    if (options.memoryMegabytes !== undefined && options.pods !== undefined) {
        throw new ServiceOptionsError(
            "--agent-memory-mb cannot be used with --pods: set agents.pods.resources.limits.memory of the chart.",
        );
    }
    const pods = options.pods && openPodPlace(options.pods, env);
    // The command of a pod is in its image.
    const command = pods === undefined ? resolveCommand(options.command, env) : wordsOf(options.command);
    if (pods !== undefined) {
        assertVariables("agent", environment, pods.settings);
    }
    if (pullRequests !== undefined) {
        assertPullRequests(pullRequests);
    }
    return {
        command,
        sandbox: sandbox ? Sandbox.open(command[0], env) : undefined,
        environment: Object.fromEntries(environment.map((name) => [name, readVariable(name, env)])),
        pullRequests,
        commits: resolveCommits(options.commits ?? {}, env),
        timeLimitMs:
            positive("timeLimitSeconds", options.timeLimitSeconds ?? optionTable.agentTimeLimitSeconds.default) * 1000,
        memoryMegabytes: positive("memoryMegabytes", options.memoryMegabytes ?? 4096),
        concurrency: positive("concurrency", options.concurrency ?? 2),
        maxDiskBytes: positive("maxDiskBytes", options.maxDiskBytes ?? 2 * 1024 ** 3),
        maxMirrorBytes: positive("maxMirrorBytes", options.maxMirrorBytes ?? 8 * 1024 ** 3),
        maxLogBytes: positive("maxLogBytes", options.maxLogBytes ?? 1024 ** 2),
        pods,
        env,
    };
}

/** The absolute path of the program: a relative path would be resolved in the checkout, which is untrusted. */
function resolveCommand(words: readonly string[], env: NodeJS.ProcessEnv): [string, ...string[]] {
    const [program, ...args] = wordsOf(words);
    const paths = program.includes("/")
        ? [resolve(program)]
        : (env["PATH"] ?? "")
              .split(delimiter)
              .filter(isAbsolute)
              .map((folder) => join(folder, program));
    const path = paths.find((candidate) => existsSync(candidate));
    if (path === undefined) {
        throw new ServiceOptionsError(`The agent's command ${program} was not found.`);
    }
    return [path, ...args];
}

function wordsOf([program = "", ...args]: readonly string[]): [string, ...string[]] {
    if (program === "") {
        throw new ServiceOptionsError("The agent's command is empty.");
    }
    return [program, ...args];
}

function readVariable(name: string, env: NodeJS.ProcessEnv): string {
    const value = env[name];
    if (value === undefined) {
        throw new ServiceOptionsError(
            `The agent needs the environment variable ${name}, which is not set: set it where the service starts.`,
        );
    }
    return value;
}

function assertPullRequests(options: PullRequestOptions): void {
    if (options.kind === "link") {
        const link = pullRequestLink(options.template, "agent/aj_1");
        const isAddress = URL.canParse(link) && /^https?:/.test(link) && new URL(link).username === "";
        if (!options.template.includes("{branch}") || !isAddress) {
            throw new ServiceOptionsError(
                "The agent's link to pull requests must be an address with {branch} in it, such as " +
                    "https://github.com/acme/docs/compare/{branch}.",
            );
        }
    } else {
        assertForgeAddress(options);
    }
}

/** @throws ServiceOptionsError for a repository to which the forge's token must not be sent */
export function assertProjectsOnForge(
    projects: ReadonlyMap<string, { repository: string }>,
    agent: ResolvedAgent | undefined,
): void {
    const forge = agent?.pullRequests;
    if (forge !== undefined && forge.kind !== "link") {
        projects.forEach(({ repository }, projectId) => assertOnForge(forge, projectId, repository));
    }
}

function positive(name: string, value: number): number {
    if (!Number.isSafeInteger(value) || value < 1) {
        throw new ServiceOptionsError(`agent.${name} must be a whole number of at least 1, got ${value}.`);
    }
    return value;
}
