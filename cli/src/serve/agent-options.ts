import { type AgentOptions, type AgentProject, type PullRequestOptions } from "@pulumi-static-export/service";
import { InvalidArgumentError, Option } from "commander";
import { hideEnvironment } from "../command-line/hide-environment.js";
import { readSeconds } from "../command-line/options.js";
import { UsageError } from "../command-line/usage-error.js";
import { readPair, withEntry } from "./named-values.js";

/** The parsed agent options that `serve` and `work` share. */
export interface AgentSettings {
    agentProject?: Record<string, AgentProject>;
    agentCommand?: string[];
    agentSandbox?: boolean;
    agentEnv?: string[];
    agentTimeLimitSeconds?: number;
    agentPrLink?: string;
    agentForge?: { kind: "github" | "gitlab"; apiUrl: string };
    agentForgeTokenEnv?: string;
}

export function agentOptions(): readonly Option[] {
    return [
        new Option(
            "--agent-project <id=repository#branch>",
            "enable agent jobs for a project in this repository (repeatable)",
        ).argParser(addProject),
        new Option(
            "--agent-command <command>",
            "command that runs the prompts of agent jobs, without a shell: words separated by spaces, or a JSON array",
        ).argParser(readCommand),
        new Option(
            "--agent-sandbox",
            "run the command with bubblewrap, without the files and the memory of this process (Linux)",
        ),
        new Option("--agent-env <name>", "environment variable to pass to the agent (repeatable)").argParser(addName),
        new Option("--agent-time-limit-seconds <seconds>", "time limit of one prompt (default: 1800)").argParser(
            readSeconds,
        ),
        new Option("--agent-pr-link <template>", "template for the address of the pull request of a {branch}"),
        new Option("--agent-forge <kind=api>", "open pull requests at a github or gitlab API").argParser(readForge),
        new Option("--agent-forge-token-env <name>", "environment variable that holds the forge's token"),
    ];
}

function addProject(text: string, projects: Record<string, AgentProject> = {}): Record<string, AgentProject> {
    const [id, address] = readPair(text, "docs=https://github.com/acme/docs#main");
    const [repository = "", ref] = address.split("#", 2);
    return withEntry(projects, id, ref ? { repository, ref } : { repository });
}

/** Parses a command: a JSON array, or words without characters that are special to a shell. */
function readCommand(text: string): string[] {
    if (text.trimStart().startsWith("[")) {
        const command = parseJson(text);
        if (Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === "string")) {
            return command;
        }
    } else if (!/["'`\\$|&;<>(){}*?~]/.test(text)) {
        return text.trim().split(/\s+/);
    }
    throw new InvalidArgumentError(
        `No shell runs the command: write the command as a JSON array, such as '["/usr/bin/env", "my-agent", ` +
            `"--print"]'.`,
    );
}

function addName(name: string, names: string[] = []): string[] {
    if (!/^[A-Za-z_]\w*$/.test(name)) {
        throw new InvalidArgumentError("Pass the name of an environment variable, not its value.");
    }
    return [...names, name];
}

function readForge(text: string): { kind: "github" | "gitlab"; apiUrl: string } {
    const [kind, apiUrl] = readPair(text, "github=https://api.github.com");
    if (kind !== "github" && kind !== "gitlab") {
        throw new InvalidArgumentError("The forge must be github or gitlab.");
    }
    return { kind, apiUrl: apiUrl.replace(/\/+$/, "") };
}

/** The agent's options. Hides the process's environment from the agent if the system allows it. @throws UsageError */
export function readAgent(options: AgentSettings, env: NodeJS.ProcessEnv): AgentOptions | undefined {
    const { agentCommand, agentProject, agentSandbox = false, agentEnv, agentTimeLimitSeconds } = options;
    if (agentCommand === undefined || agentProject === undefined) {
        if (agentCommand !== agentProject) {
            throw new UsageError("--agent-command and --agent-project must be used together.");
        }
        return undefined;
    }
    if (!hideEnvironment() && !agentSandbox) {
        console.error("warning: The agent can read the environment of this process: add --agent-sandbox.");
    }
    const pullRequests = readPullRequests(options, env);
    return {
        command: agentCommand,
        sandbox: agentSandbox,
        ...(agentEnv === undefined ? {} : { environment: agentEnv }),
        ...(agentTimeLimitSeconds === undefined ? {} : { timeLimitSeconds: agentTimeLimitSeconds }),
        ...(pullRequests === undefined ? {} : { pullRequests }),
        env,
    };
}

function readPullRequests(
    { agentPrLink, agentForge, agentForgeTokenEnv }: AgentSettings,
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

function parseJson(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}
