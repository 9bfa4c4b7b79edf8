import { setTimeout as delay } from "node:timers/promises";
import { movedAdvice } from "../forge/moved-advice.js";
import { type Git, type GitCall, GitError, GitMemoryError } from "./git.js";

export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** Git's messages about a remote that is overloaded, failing or unreachable: a retry may succeed. */
const transient =
    /returned error: (?:408|429|5\d\d)|HTTP (?:408|429|5\d\d)|Could ?n[o']t (?:resolve host|connect)|Connection (?:refused|reset|timed out)|timed out|early EOF|hung up unexpectedly|Empty reply|RPC failed/i;
/** Git follows no redirect with the forge's token. */
const redirected = /returned error: 30[12378]/;
const firstBackoffMs = 1000;
const maxTries = 6;

const sleepForReal: Sleep = (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal });

/** Runs a repeatable command that connects to the remote; retries it while the remote may recover. @throws GitError */
export async function runRemote(
    git: Git,
    args: readonly string[],
    call: GitCall,
    sleep: Sleep = sleepForReal,
): Promise<string> {
    for (let tries = 1; ; tries += 1) {
        try {
            return await git.run(args, { ...call, isRemote: true });
        } catch (error) {
            const message = error instanceof GitError ? withoutHooks(error.message) : "";
            if (redirected.test(message)) {
                throw new GitError(`${(error as GitError).message}\n${movedAdvice}`, { cause: error });
            }
            const isTransient = !(error instanceof GitMemoryError) && transient.test(message);
            if (!isTransient || tries === maxTries) {
                throw error;
            }
            await sleep(firstBackoffMs * 2 ** (tries - 1), call.signal);
        }
    }
}

/** The message without the lines of the remote's hooks. */
function withoutHooks(message: string): string {
    return message.replace(/^remote:.*$/gm, "");
}
