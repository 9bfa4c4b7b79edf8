import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { endFile, FailedCommandError } from "../pods/command-end.js";
import { LostPodError } from "../pods/frames.js";
import { limitOpenFiles } from "../processes/open-files.js";
import { userVariables } from "../processes/program-user.js";
import { type PodJobs } from "../pods/pod-jobs.js";
import { checkoutFolder, podFolder } from "../pods/pod-step.js";
import { AgentFailedError } from "./agent-failed-error.js";
import { type RunLog } from "./agent-log.js";
import { type ResolvedAgent } from "./agent-options.js";
import { type Repository } from "./repository.js";
import { type Workspace } from "./workspace.js";
import { sayReached } from "../shared/reached-limit.js";

export interface AgentRun {
    readonly jobId: string;
    readonly prompt: string;
    readonly agent: ResolvedAgent;
    readonly repository: Repository;
    /** With a checkout. Gets the changed checkout. */
    readonly workspace: Workspace;
    readonly log: RunLog;
    readonly signal: AbortSignal;
}

const promptFile = "prompt";

/** For the image, the checkout and the change of an agent, which its own time limit does not count. */
const transferSeconds = 300;

/**
 * Runs the agent, but not longer than its first argument says, and stores how it failed: the pod sends its files only if
 * this program ends with 0, which ends all other processes of the container. The agent runs in the foreground, because a
 * shell lets programs in the background ignore SIGINT.
 */
const program = `${limitOpenFiles}
cd ${checkoutFolder} || exit
{ sleep "$1" && echo late > ../${endFile} && read -r pid < ../pid && kill -KILL "$pid"; } > /dev/null 2>&1 &
shift
/bin/sh -c 'echo $$ > ../pid && exec "$@"' sh "$@" < ../${promptFile}
code=$?
test -e ../${endFile} || test $code = 0 || echo $code > ../${endFile} || exit $code`;

/**
 * Runs an agent in a pod, which has a copy of the checkout and neither the credentials nor the files of this process.
 * @throws AgentFailedError if the agent failed and its changes were received, or another error with the reason
 */
export async function runInPod(jobs: PodJobs, run: AgentRun): Promise<void> {
    const { jobId, prompt, agent, repository, workspace, log, signal } = run;
    const { folder, checkout, received } = workspace;
    const limitSeconds = Math.ceil(agent.timeLimitMs / 1000);
    await repository.detach(checkout, signal);
    await writeFile(join(folder, promptFile), prompt, { mode: 0o600 });
    try {
        await jobs.run({
            ...{ kind: "agent", jobId, folder, signal },
            command: ["/bin/sh", "-c", program, "sh", String(limitSeconds), ...agent.command],
            variables: { HOME: join(podFolder, "home"), TMPDIR: "/tmp", LANG: "C.UTF-8", ...userVariables("agent") },
            environment: Object.keys(agent.environment),
            limits: {
                timeoutSeconds: limitSeconds + transferSeconds,
                diskMegabytes: Math.ceil(agent.maxDiskBytes / 2 ** 20),
            },
            sent: [basename(checkout), promptFile],
            received: { output: received, cache: join(folder, "cache") },
            onLine: (line) => log.note(line),
            log: {
                addOutput: log.addOutput,
                end: () => {
                    log.endOutput();
                    return "";
                },
            },
            explain: (reason) => new Error(`The agent ${reason}.`),
        });
    } catch (error) {
        if (error instanceof FailedCommandError) {
            const { end, isComplete } = error;
            const reason = end === "late" ? sayReached("time", limitSeconds) : `exited with code ${end}`;
            const failure = new AgentFailedError(reason);
            throw isComplete ? failure : new Error(failure.message, { cause: failure });
        }
        // A lost agent does not start again by itself, because it may have acted outside of its checkout.
        throw error instanceof LostPodError
            ? new Error(`The agent was lost: ${error.message}.`, { cause: error })
            : error;
    }
}
