import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { LostPodError } from "../pods/frames.js";
import { type PodJobs } from "../pods/pod-jobs.js";
import { checkoutFolder, podFolder } from "../pods/pod-step.js";
import { type RunLog } from "./agent-log.js";
import { type ResolvedAgent } from "./agent-options.js";
import { type Repository } from "./repository.js";
import { type Workspace } from "./workspace.js";

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

/**
 * Runs an agent in a pod, which has a copy of the checkout and neither the credentials nor the files of this process.
 * @throws an error that says why the agent failed
 */
export async function runInPod(jobs: PodJobs, run: AgentRun): Promise<void> {
    const { jobId, prompt, agent, repository, workspace, log, signal } = run;
    const { folder, checkout, received } = workspace;
    await repository.detach(checkout, signal);
    await writeFile(join(folder, promptFile), prompt, { mode: 0o600 });
    try {
        await jobs.run({
            ...{ kind: "agent", jobId, folder, signal },
            command: ["/bin/sh", "-c", `cd ${checkoutFolder} && exec "$@" < ../${promptFile}`, "sh", ...agent.command],
            variables: { HOME: join(podFolder, "home"), TMPDIR: "/tmp", LANG: "C.UTF-8" },
            environment: Object.keys(agent.environment),
            limits: {
                timeoutSeconds: agent.timeLimitMs / 1000,
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
            explain: (reason) => `The agent ${reason}.`,
        });
    } catch (error) {
        // A lost agent does not start again by itself, because it may have acted outside of its checkout.
        throw error instanceof LostPodError
            ? new Error(`The agent was lost: ${error.message}.`, { cause: error })
            : error;
    }
}
