import { AgentJobs } from "../agents/agent-jobs.js";
import { type ResolvedAgent } from "../agents/agent-options.js";
import { JobRunner, type AnyJobRunner, type JobRunnerTimes } from "../jobs/runner.js";
import { type Parts } from "./open-parts.js";

/** Options of a process that runs the prompts of agent jobs. */
interface AgentRunnerOptions {
    agent: ResolvedAgent;
    /** @default all projects */
    projects?: readonly string[];
    keepDays: number;
    gitStallSeconds: number;
    /** The service's address, for links to its dashboard. */
    publicUrl?: string | undefined;
    times?: JobRunnerTimes;
}

export function createAgentRunner(
    { database, dataDir, storage, monitoring, clock, logger }: Parts,
    { agent, projects, keepDays, gitStallSeconds, publicUrl, times }: AgentRunnerOptions,
): AnyJobRunner {
    const logs = storage.agentLogs;
    return new JobRunner(
        new AgentJobs({
            agent,
            database,
            dataDir,
            projects,
            logs,
            keepDays,
            gitStallSeconds,
            clock,
            publicUrl,
            onEnd: monitoring.agentRunEnded,
            logger,
        }),
        logger,
        times,
    );
}
