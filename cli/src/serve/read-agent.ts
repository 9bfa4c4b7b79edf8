import { type AgentOptions, type PullRequestOptions } from "@pulumi-static-export/service";
import { type FlagSettings } from "@pulumi-static-export/service/options";
import { hideEnvironment } from "../command-line/hide-environment.js";
import { UsageError } from "../command-line/usage-error.js";

/** The agent's options. Hides the process's environment from the agent if the system allows it. @throws UsageError */
export function readAgent(options: FlagSettings, env: NodeJS.ProcessEnv): AgentOptions | undefined {
    const { agentCommand, projects, agentSandbox = false, agentEnv } = options;
    if (agentCommand === undefined || projects === undefined) {
        if (agentCommand !== projects) {
            throw new UsageError("--agent-command and --agent-project must be used together.");
        }
        return undefined;
    }
    if (!hideEnvironment() && !agentSandbox && options.pods === undefined) {
        console.error("warning: The agent can read the environment of this process: add --agent-sandbox.");
    }
    const pullRequests = readPullRequests(options, env);
    return {
        command: agentCommand,
        sandbox: agentSandbox,
        environment: agentEnv ?? [],
        timeLimitSeconds: options.agentTimeLimitSeconds,
        memoryMegabytes: options.agentMemoryMegabytes,
        ...(pullRequests === undefined ? {} : { pullRequests }),
        commits: {
            name: options.agentCommitName,
            email: options.agentCommitEmail,
            message: options.agentCommitMessage,
            signingKeyFile: options.agentSigningKey,
        },
        env,
    };
}

function readPullRequests(
    { agentPrLink, agentForge, agentForgeTokenEnv }: FlagSettings,
    env: NodeJS.ProcessEnv,
): PullRequestOptions | undefined {
    if (agentPrLink !== undefined && agentForge !== undefined) {
        throw new UsageError(
            "Use either --agent-pr-link, which only forms an address, or --agent-forge, which opens the pull request.",
        );
    }
    if (agentForge === undefined) {
        return agentPrLink === undefined ? undefined : { kind: "link", template: agentPrLink };
    }
    const token = agentForgeTokenEnv === undefined ? undefined : env[agentForgeTokenEnv];
    if (!token) {
        throw new UsageError(
            "--agent-forge needs --agent-forge-token-env <name>: the environment variable that holds the forge's token.",
        );
    }
    return { ...agentForge, token };
}
