import { type AgentOptions, type AgentProject, type PullRequestOptions } from "@pulumi-static-export/service";
import { InvalidArgumentError } from "commander";
import { readWholeNumber } from "../command-line/options.js";
import { UsageError } from "../command-line/usage-error.js";
import { type JobSettings } from "./job-options.js";
import { readPair, withEntry } from "./named-values.js";

/** The options of `static-export serve`, parsed. */
export interface ServeOptions extends JobSettings {
    port: number;
    host: string;
    database?: string;
    adminKeyFile?: string;
    maxQueuedJobs: number;
    keepKeysDays: number;
    publicUrl?: string;
    agentProject?: Record<string, AgentProject>;
    agentCommand?: string[];
    agentEnv?: string[];
    agentModel?: string;
    agentTimeLimitSeconds?: number;
    agentPrLink?: string;
    agentForge?: { kind: "github" | "gitlab"; apiUrl: string };
    agentForgeTokenEnv?: string;
}

export function readPort(text: string): number {
    return readWholeNumber(text, 0, 65_535);
}

export function addSite(text: string, sites: Record<string, string> = {}): Record<string, string> {
    const [domain, place] = readPair(text, "docs.example.com=./docs");
    return withEntry(sites, domain, place);
}

export function addProject(text: string, projects: Record<string, AgentProject> = {}): Record<string, AgentProject> {
    const [id, address] = readPair(text, "docs=https://github.com/acme/docs#main");
    const [repository = "", ref] = address.split("#", 2);
    return withEntry(projects, id, ref ? { repository, ref } : { repository });
}

/** A command as a JSON array, or as words without characters that are special to a shell. */
export function readCommand(text: string): string[] {
    if (text.trimStart().startsWith("[")) {
        const command = parseJson(text);
        if (Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === "string")) {
            return command;
        }
    } else if (!/["'`\\$|&;<>(){}*?~]/.test(text)) {
        return text.trim().split(/\s+/);
    }
    throw new InvalidArgumentError(
        `It does not go through a shell: write it as a JSON array, such as '["/usr/bin/env", "my-agent", "--print"]'.`,
    );
}

export function addName(name: string, names: string[] = []): string[] {
    if (!/^[A-Za-z_]\w*$/.test(name)) {
        throw new InvalidArgumentError("Pass the name of an environment variable, not its value.");
    }
    return [...names, name];
}

export function readForge(text: string): { kind: "github" | "gitlab"; apiUrl: string } {
    const [kind, apiUrl] = readPair(text, "github=https://api.github.com");
    if (kind !== "github" && kind !== "gitlab") {
        throw new InvalidArgumentError("The forge must be github or gitlab.");
    }
    return { kind, apiUrl: apiUrl.replace(/\/+$/, "") };
}

/** The agent's options. @throws UsageError */
export function readAgent(options: ServeOptions, env: NodeJS.ProcessEnv): AgentOptions | undefined {
    const { agentCommand, agentProject, agentEnv, agentModel, agentTimeLimitSeconds } = options;
    if (agentCommand === undefined || agentProject === undefined) {
        if (agentCommand !== agentProject) {
            throw new UsageError("--agent-command and --agent-project must be used together.");
        }
        return undefined;
    }
    const pullRequests = readPullRequests(options, env);
    return {
        command: agentCommand,
        ...(agentEnv === undefined ? {} : { environment: agentEnv }),
        ...(agentModel === undefined ? {} : { model: agentModel }),
        ...(agentTimeLimitSeconds === undefined ? {} : { timeLimitSeconds: agentTimeLimitSeconds }),
        ...(pullRequests === undefined ? {} : { pullRequests }),
        env,
    };
}

function readPullRequests(
    { agentPrLink, agentForge, agentForgeTokenEnv }: ServeOptions,
    env: NodeJS.ProcessEnv,
): PullRequestOptions | undefined {
    if (agentPrLink !== undefined && agentForge !== undefined) {
        throw new UsageError("Use only one: --agent-pr-link makes an address, --agent-forge opens the pull request.");
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
