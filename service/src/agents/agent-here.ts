import { realpathSync } from "node:fs";
import { DiskWatch } from "../processes/disk-watch.js";
import { ProcessMark } from "../processes/process-mark.js";
import { trustRepositories, userVariables } from "../processes/program-user.js";
import { type RunBounds } from "../processes/run-bounds.js";
import { runProcess } from "../processes/run-process.js";
import { isSeenByAgents } from "../processes/sandbox.js";
import { AgentFailedError } from "./agent-failed-error.js";
import { type AgentRun } from "./agent-pod.js";

/** Agents also run the builds and tests of a repository. */
const maxProcesses = 1024;

/**
 * Runs an agent on this machine.
 * @param place the folder for the runs of agents
 * @throws AgentFailedError
 */
export async function runHere(run: AgentRun, bounds: RunBounds, place: string): Promise<void> {
    const { prompt, agent, repository, workspace, log, signal } = run;
    const { folder, checkout, home, temporary } = workspace;
    const { signingKeyFile: key } = agent.commits;
    const hidden = { folders: [], files: key === undefined ? [] : [realpathSync(key)].filter(isSeenByAgents) };
    const folders = { checkout, home, temporary, readOnly: [repository.objects], hidden };
    const boxed = agent.sandbox?.wrap(agent.command, folders) ?? agent.command;
    const user = bounds.userForRun();
    await user?.give(folder);
    const command = user?.wrap(boxed, folder, folders.readOnly) ?? boxed;
    const mark = ProcessMark.ofRun(place, folder);
    const group = bounds.groupOf(folder, mark, { maxProcesses, memoryMegabytes: agent.memoryMegabytes });
    const disk = workspace.disk ?? new DiskWatch(folder, agent.maxDiskBytes, { user });
    try {
        const failure = await runProcess({
            command: group.wrap(mark.wrap(command)),
            // The checkout may belong to the agent's user.
            cwd: user === undefined ? checkout : "/",
            env: {
                PATH: agent.env["PATH"] ?? "/usr/bin:/bin",
                HOME: home,
                TMPDIR: temporary,
                LANG: "C.UTF-8",
                ...userVariables("agent"),
                ...agent.environment,
                ...(user && trustRepositories(agent.environment)),
                ...mark.env,
            },
            stdin: prompt,
            timeLimitMs: agent.timeLimitMs,
            signal,
            onOutput: log.addOutput,
            findExcess: async () => (await group.findExcess()) ?? disk.findExcess(),
        });
        if (failure !== undefined) {
            throw new AgentFailedError(failure);
        }
    } finally {
        log.endOutput();
        await group.end();
        await user?.takeBack(folder);
    }
}
