import { type Command } from "commander";
import { type CliCommand } from "../../command-line/cli-command.js";
import { expectDatabase, serviceFlags } from "../../serve/service-flags.js";
import { otherFlags } from "../../serve/service-settings.js";
import { type WorkOptions, work, workInPod } from "../../serve/work.js";

export const workCommand: CliCommand = {
    name: "work",
    summary:
        "Run the export jobs, or the agent jobs, that services with the same database have queued, until a signal " +
        "stops the worker.",
    options: [...serviceFlags("work"), ...otherFlags()],
    exitCodes: {
        0: "stopped by SIGTERM",
        2: "wrong usage or settings: the worker cannot start",
        130: "stopped by Ctrl-C",
    },
    examples: [
        "static-export work --site docs.example.com=./docs --data-dir /mnt/static-export",
        'static-export work --agent-project docs=https://github.com/acme/docs#main --agent-command "my-agent --print"',
    ],
    run: startWorker,
};

async function startWorker(options: Partial<WorkOptions>, command: Command): Promise<void> {
    // These options are not mandatory, because commander would report their absence before a misspelt option.
    const { sites, sitesFile, agentCommand } = options;
    if (options.podStep !== undefined) {
        await workInPod(options.podStep);
        return;
    }
    const hasSites = sites !== undefined || sitesFile !== undefined;
    if (hasSites === (agentCommand !== undefined)) {
        command.error(
            !hasSites
                ? "error: required option '--site <domain=folder>' not specified, nor --sites-file, nor --agent-command for agent jobs"
                : "error: agents make untrusted changes: run --agent-command in a separate worker, without --site",
        );
    }
    await work({ ...options, database: expectDatabase(options, command) } as WorkOptions);
}
