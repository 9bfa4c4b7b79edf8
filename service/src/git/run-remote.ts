import { setTimeout as delay } from "node:timers/promises";
import { movedAdvice } from "../forge/moved-advice.js";
import { type Git, type GitCall, GitError, GitMemoryError } from "./git.js";

/** The forge redirects git. */
export class GitMovedError extends GitError {}

export interface RemoteCall extends GitCall {
    /** The option that contains the remote's address, for advice. */
    addressOption: string;
    /** @default 6 */
    maxTries?: number;
}

export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** Git's messages about a remote that is overloaded, failing or unreachable: a retry may succeed. */
const transient =
    /returned error: (?:408|429|5\d\d)|HTTP (?:408|429|5\d\d)|Could ?n[o']t (?:resolve host|connect)|Connection (?:refused|reset|timed out)|timed out|early EOF|hung up unexpectedly|Empty reply|RPC failed/i;
/** The server's messages about an object that its repository lacks. An ended server also speaks of corruption. */
const missingObject = /(?:unable to read|bad tree object) [\da-f]{40}/;
/** Git follows no redirect with the forge's token. */
const redirected = /returned error: 30[12378]/;
const firstBackoffMs = 1000;

const sleepForReal: Sleep = (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal });

/** Runs a repeatable command that connects to the remote; retries it while the remote may recover. @throws GitError */
export async function runRemote(
    git: Git,
    args: readonly string[],
    { addressOption, maxTries = 6, ...call }: RemoteCall,
    sleep: Sleep = sleepForReal,
): Promise<string> {
    for (let tries = 1; ; tries += 1) {
        try {
            return await git.run(args, { ...call, isRemote: true });
        } catch (error) {
            if (error instanceof GitError && redirected.test(withoutHooks(error.message))) {
                throw new GitMovedError(`${error.message}\n${movedAdvice(addressOption)}`, { cause: error });
            }
            if (!isTransient(error) || tries === maxTries) {
                throw error;
            }
            await sleep(firstBackoffMs * 2 ** (tries - 1), call.signal);
        }
    }
}

/** Whether the remote or the network failed, so that a retry may succeed. */
export function isTransient(error: unknown): boolean {
    return (
        error instanceof GitError &&
        !(error instanceof GitMemoryError) &&
        !lacksObject(error) &&
        transient.test(withoutHooks(error.message))
    );
}

/** Whether the remote's repository is damaged. */
export function lacksObject({ message }: GitError): boolean {
    return missingObject.test(message);
}

/** The message without the lines of the remote's hooks. */
function withoutHooks(message: string): string {
    return message.replace(/^remote:.*$/gm, "");
}
