import { endOf } from "@pulumi-static-export/contract";
import { type ProcessMark } from "../processes/process-mark.js";
import { type ProcessRequest, runProcess } from "../processes/run-process.js";
import { existsSync } from "node:fs";
import { limitTable } from "../options/option-table.js";
import { GitProgress, withoutProgress, withProgress } from "./git-progress.js";

/** A failed git command; the message contains its standard error. */
export class GitError extends Error {
    override readonly name = "GitError";
}

/** The command needs more memory than allowed, for example for a small pack that expands to gigabytes. */
export class GitMemoryError extends GitError {}

/** The command made no progress for too long. */
export class GitStallError extends GitError {}

export interface GitCredentials {
    /** The only origin that gets the credentials, such as `https://git.example.com`. */
    origin: string;
    user: string;
    password: string;
}

interface GitOptions {
    mark: ProcessMark;
    /** The only protocol that git may use, such as `https`. */
    protocol: string;
    credentials?: GitCredentials | undefined;
    /**
     * Limit for each process of a command: a pack may expand to a thousand times its size.
     * @default 1536, which is also the default limit of an export
     */
    memoryMegabytes?: number;
    /**
     * How long a command may make no progress. Commands that report no progress must end within this time.
     * @default that of the flag
     */
    stallSeconds?: number;
    /** Whether commits may be signed with an SSH key, which needs git 2.34. @default false */
    signsWithSsh?: boolean;
    env: NodeJS.ProcessEnv;
}

export interface GitCall {
    cwd?: string;
    env?: Record<string, string>;
    stdin?: string;
    signal?: AbortSignal | undefined;
    /** Whether the command connects to the remote, and so gets the credentials. */
    isRemote?: boolean;
    findExcess?: ProcessRequest["findExcess"];
}

const maxOutputBytes = 64 * 2 ** 20;
/** The environment variables that git needs: to find its programs, an SSH key and a proxy. */
const passedVariables = [
    ...["PATH", "HOME", "SSH_AUTH_SOCK"],
    ...["HTTPS_PROXY", "https_proxy", "http_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"],
];
/** Reads the credentials from file descriptor 3: in git's environment, every process of this user could read them. */
const credentialHelper =
    '!f() { test "$1" = get && IFS= read -r user && IFS= read -r password && ' +
    'printf \'%s\\n\' "$user" "$password"; }; f <&3';
/** Some commands connect more than once, for example to fetch tags. */
const maxConnections = 8;
/** Settings that neither the repository nor the service's user can override, such as hooks and filters. */
const configuration: readonly (readonly [string, string])[] = [
    ["core.hooksPath", "/dev/null"],
    ["core.fsmonitor", "false"],
    ["core.excludesFile", "/dev/null"],
    ["core.attributesFile", "/dev/null"],
    ["core.quotePath", "true"],
    ["gc.auto", "0"],
    ["maintenance.auto", "false"],
    ["submodule.recurse", "false"],
    ["fetch.recurseSubmodules", "false"],
    ["push.recurseSubmodules", "no"],
    ["protocol.ext.allow", "never"],
    ["advice.detachedHead", "false"],
    // Larger files are copied in pieces, to limit the memory.
    ["core.bigFileThreshold", "16m"],
    ["pack.windowMemory", "64m"],
    ["pack.deltaCacheSize", "64m"],
    ["http.lowSpeedLimit", "1000"],
];

const stallAdvice =
    "check the network between this machine and the repository, or raise --git-stall-seconds if the repository needs " +
    "more time to begin";

/** Keeps only git's own messages: lines from the remote begin with a name. */
const outOfMemory = /^(?:fatal|error): (?:out of memory|.*cannot allocate memory)/im;

/** The message of git's HTTP library at `http.lowSpeedLimit`. */
const tooSlow = /^(?:fatal|error): .*Operation too slow/im;

/** Git advises a setting of the user, which the service ignores. */
const otherOwner = /dubious ownership in repository at '([^']*)'/;

/** Runs git with its own configuration: no hooks, no user or system settings, no prompts. */
export class Git {
    readonly #env: Record<string, string>;
    readonly #secret: string | undefined;
    readonly #memoryMegabytes: number;
    readonly #stallSeconds: number;

    constructor(options: GitOptions) {
        const { mark, protocol, credentials, env, memoryMegabytes = 1536 } = options;
        const { stallSeconds = limitTable.gitStallSeconds.default, signsWithSsh = false } = options;
        this.#memoryMegabytes = memoryMegabytes;
        this.#stallSeconds = stallSeconds;
        const entries: (readonly [string, string])[] = [
            ...configuration,
            // A remote sends little while it prepares a large repository.
            ["http.lowSpeedTime", String(stallSeconds)],
            // An older git refuses the format.
            ...(signsWithSsh ? [["gpg.format", "ssh"] as const] : []),
        ];
        if (credentials !== undefined) {
            const { origin, user, password } = credentials;
            entries.push([`credential.${origin}.helper`, credentialHelper], ["http.followRedirects", "false"]);
            this.#secret = `username=${user}\npassword=${password}\n`;
        }
        this.#env = {
            ...Object.fromEntries(
                passedVariables.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
            ),
            LC_ALL: "C.UTF-8",
            GIT_CONFIG_NOSYSTEM: "1",
            GIT_CONFIG_GLOBAL: "/dev/null",
            GIT_TERMINAL_PROMPT: "0",
            GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
            GIT_ALLOW_PROTOCOL: protocol,
            GIT_CONFIG_COUNT: String(entries.length),
            ...Object.fromEntries(
                entries.flatMap(([key, value], index) => [
                    [`GIT_CONFIG_KEY_${index}`, key],
                    [`GIT_CONFIG_VALUE_${index}`, value],
                ]),
            ),
            ...mark.env,
        };
    }

    /** Runs the command and returns its standard output, without the last line break. @throws GitError */
    async run(args: readonly string[], call: GitCall = {}): Promise<string> {
        const { cwd = "/", env = {}, stdin, signal, isRemote = false, findExcess } = call;
        const output: Buffer[] = [];
        const errors: Buffer[] = [];
        let bytes = 0;
        const progress = new GitProgress();
        const failure = await runProcess({
            command: limitMemory(["git", ...withProgress(args)], this.#memoryMegabytes),
            cwd,
            env: { ...this.#env, ...env },
            stdin,
            secret: isRemote ? this.#secret?.repeat(maxConnections) : undefined,
            timeLimitMs: this.#stallSeconds * 1000,
            showsProgress: (chunk, isError) => isError && progress.isIn(chunk),
            signal,
            ...(findExcess === undefined ? {} : { findExcess }),
            onOutput: (chunk, isError) => {
                bytes += chunk.length;
                if (bytes <= maxOutputBytes) {
                    (isError ? errors : output).push(chunk);
                }
            },
        });
        const problem = failure ?? (bytes > maxOutputBytes ? "printed too much" : undefined);
        if (problem === undefined) {
            return textOf(output);
        }
        const text = withoutProgress(textOf(errors));
        const [, owned] = otherOwner.exec(text) ?? [];
        if (owned !== undefined) {
            throw new GitError(
                `the repository ${owned} belongs to another user of this machine: give it to the user of the service, ` +
                    "or serve it over https",
            );
        }
        const command = `git ${args.find((arg) => !arg.startsWith("-")) ?? ""}`;
        if (problem.startsWith("made no progress") || tooSlow.test(text)) {
            const stall = problem.startsWith("made") ? problem : `received too little for ${this.#stallSeconds} s`;
            throw new GitStallError(`${command} ${stall}: ${stallAdvice}`);
        }
        throw outOfMemory.test(text)
            ? new GitMemoryError(`${command} needs more than ${this.#memoryMegabytes} MB of memory`)
            : new GitError(`${command} ${problem}${text === "" ? "" : `: ${tail(text)}`}`);
    }
}

function textOf(chunks: readonly Buffer[]): string {
    return Buffer.concat(chunks).toString().replace(/\n$/, "");
}

function tail(text: string): string {
    return text.length > 2000 ? `…${endOf(text, 2000)}` : text;
}

type Command = readonly [string, ...string[]];

const shell = "/bin/sh";

/**
 * The command with a memory limit for each of its processes, which the system kills first if the machine runs out of
 * memory. Without a shell, the command is unchanged.
 */
function limitMemory(command: Command, megabytes: number): Command {
    if (!existsSync(shell)) {
        return command;
    }
    // A limit that the system does not support, or that is already lower, is not changed.
    const limits = ["ulimit -c 0", `ulimit -d ${megabytes * 1024}`, "echo 1000 > /proc/self/oom_score_adj"]
        .map((limit) => `{ ${limit}; } 2>/dev/null`)
        .join("\n");
    return [shell, "-c", `${limits}\nunset PWD OLDPWD; exec "$@"`, shell, ...command];
}
