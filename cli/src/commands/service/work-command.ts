import { type Command, Option } from "commander";
import { type CliCommand } from "../../command-line/cli-command.js";
import { addTo, readSeconds } from "../../command-line/options.js";
import { agentOptions } from "../../serve/agent-options.js";
import { bucketOptions } from "../../serve/bucket-options.js";
import { databaseOption, expectDatabase } from "../../serve/database-option.js";
import { limitOptions } from "../../serve/limit-options.js";
import {
    gitTokenOption,
    graceOption,
    healthOption,
    bundleOptions,
    buildsNetworkOptions,
    readHealthAddress,
    sitesFileOption,
} from "../../serve/shared-options.js";
import { addSite } from "../../serve/serve-options.js";
import { work, workOnBuilds, type WorkOptions } from "../../serve/work.js";
import { logFormatOption } from "../../serve/service-log.js";

export const workCommand: CliCommand = {
    name: "work",
    summary:
        "Run the export jobs, or the agent jobs, that services with the same database have queued, or builds of " +
        "sites, until a signal.",
    options: [
        new Option(
            "--site <domain=folder>",
            "folder of Markdown of a domain, or its repository, as for `serve` (repeatable)",
        ).argParser(addSite),
        sitesFileOption(),
        ...buildsNetworkOptions(),
        new Option("--builds", "build sites for services and export workers with --builds-url; needs no database"),
        new Option("--builds-listen <host:port>", "address for --builds").argParser(readHealthAddress),
        gitTokenOption(),
        databaseOption("take jobs from here"),
        new Option(
            "--data-dir <folder>",
            "work files and caches; without --bucket also bundles: then the services' folder. Of agents: the worker's own",
        ).default(".static-export"),
        ...bucketOptions(),
        ...limitOptions("work"),
        new Option("--tick-seconds <seconds>", "how often the heartbeat of a running job is stored")
            .argParser(readSeconds)
            .default(10),
        graceOption("after a signal, time for running exports to end before other workers take them"),
        ...bundleOptions(),
        ...agentOptions(),
        healthOption(),
        logFormatOption(),
        new Option("--fault <spec>", "inject a fault into exports, as for `serve` (repeatable)").argParser(addTo),
    ],
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
    const { site, sitesFile, agentCommand } = options;
    if (options.builds === true) {
        const other = (["site", "sitesFile", "agentCommand", "database", "bucket"] as const).find(
            (name) => options[name] !== undefined,
        );
        if (other !== undefined) {
            command.error("error: builds run untrusted code: run --builds without sites, agents, database and bucket");
        }
        await workOnBuilds(options as WorkOptions);
        return;
    }
    const hasSites = site !== undefined || sitesFile !== undefined;
    if (hasSites === (agentCommand !== undefined)) {
        command.error(
            !hasSites
                ? "error: required option '--site <domain=folder>' not specified, nor --agent-command for agent jobs"
                : "error: agents make untrusted changes: run --agent-command in a separate worker, without --site",
        );
    }
    await work({ ...options, database: expectDatabase(options, command) } as WorkOptions);
}
