import { runMarker } from "./marked-processes.js";
import { runProcess } from "./run-process.js";

/** A failed git command; the message contains its output. */
export class GitError extends Error {
    override readonly name = "GitError";
}

export interface GitOptions {
    /** The mark by which `killMarked` finds the processes. */
    marker: string;
    /** The one protocol that may be used, such as `https`. */
    protocol: string;
    /** Sent only to this origin, such as `https://git.example.com`. */
    authorization?: { origin: string; header: string } | undefined;
    env: NodeJS.ProcessEnv;
}

export interface GitCall {
    cwd?: string;
    env?: Record<string, string>;
    stdin?: string;
    signal?: AbortSignal | undefined;
}

const timeLimitMs = 5 * 60_000;
const mostOutputBytes = 16 * 1024 * 1024;
/** The environment variables that git needs: to find its programs, an SSH key and a proxy. */
const passedVariables = ["PATH", "HOME", "SSH_AUTH_SOCK", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"];
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
    ["http.lowSpeedLimit", "1000"],
    ["http.lowSpeedTime", "60"],
];

/** Runs git with its own configuration: no hooks, no user or system settings, no prompts. */
export class Git {
    readonly #env: Record<string, string>;

    constructor({ marker, protocol, authorization, env }: GitOptions) {
        const entries = [...configuration];
        if (authorization !== undefined) {
            entries.push([`http.${authorization.origin}/.extraHeader`, `Authorization: ${authorization.header}`]);
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
            [runMarker]: marker,
        };
    }

    /** The output of the command, without the last line break. @throws GitError */
    async run(args: readonly string[], { cwd = "/", env = {}, stdin, signal }: GitCall = {}): Promise<string> {
        const output: Buffer[] = [];
        let bytes = 0;
        const failure = await runProcess({
            command: ["git", ...args],
            cwd,
            env: { ...this.#env, ...env },
            stdin,
            timeLimitMs,
            signal,
            onOutput: (chunk) => {
                bytes += chunk.length;
                if (bytes <= mostOutputBytes) {
                    output.push(chunk);
                }
            },
        });
        const text = Buffer.concat(output).toString().replace(/\n$/, "");
        if (failure !== undefined) {
            throw new GitError(`git ${args.find((arg) => !arg.startsWith("-")) ?? ""} ${failure}: ${tail(text)}`);
        }
        return text;
    }
}

function tail(text: string): string {
    return text.length > 2000 ? `…${text.slice(-2000)}` : text;
}
