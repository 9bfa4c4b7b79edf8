import { existsSync } from "node:fs";

type Command = readonly [string, ...string[]];

const shell = "/bin/sh";

/**
 * The command with a limit for the memory of each of its processes, which are the first to be killed if the machine runs
 * out of memory. Without a shell, it is unchanged.
 */
export function limitMemory(command: Command, megabytes: number): Command {
    if (!existsSync(shell)) {
        return command;
    }
    // A limit that the system does not support, or that is already lower, is left unchanged.
    const limits = ["ulimit -c 0", `ulimit -d ${megabytes * 1024}`, "echo 1000 > /proc/self/oom_score_adj"]
        .map((limit) => `{ ${limit}; } 2>/dev/null`)
        .join("\n");
    return [shell, "-c", `${limits}\nunset PWD OLDPWD; exec "$@"`, shell, ...command];
}
