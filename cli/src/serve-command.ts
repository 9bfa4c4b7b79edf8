import { faultHelp } from "@pulumi-static-export/service/fault-help";
import { Command, Option } from "commander";
import { serve } from "./serve.js";
import {
    addFault,
    addName,
    addProject,
    addSite,
    readCommand,
    readCount,
    readForge,
    readPort,
    readSeconds,
    type ServeOptions,
} from "./serve-options.js";

const examples = `
Examples:
  $ static-export serve --site docs.example.com=./docs
  $ static-export serve --site docs.example.com=./docs --port 0 --link-ttl-seconds 60
  $ static-export serve --site docs.example.com=./docs --fault get:status=503,times=2,retry-after=1

What clients need of it, as settings of the Pulumi resource:
  $ export STATIC_EXPORT_BASE_URL=http://127.0.0.1:8787
  $ export STATIC_EXPORT_ADMIN_API_KEY="$(cat .static-export/admin-api-key)"
`;

export function createServeCommand(): Command {
    return new Command("serve")
        .description("Serve the admin API over folders of documentation until Ctrl-C.")
        .option(
            "--site <domain=folder>",
            "enable static export of a domain, from this folder of Markdown (repeatable)",
            addSite,
        )
        .option("--port <number>", "port to listen on; 0 takes a free one", readPort, 8787)
        .option("--host <address>", "address to listen on; the default is reached from this machine only", "127.0.0.1")
        .option("--data-dir <folder>", "where jobs, bundles and secrets are kept", ".static-export")
        .option(
            "--admin-key-file <file>",
            "file with the admin API key (default: admin-api-key in the data folder, made when missing)",
        )
        .option("--link-ttl-seconds <seconds>", "how long a bundle link works", readSeconds, 3600)
        .option("--job-timeout-seconds <seconds>", "longest time of one export job", readSeconds, 900)
        .option("--export-memory-mb <megabytes>", "memory of the heap of one export process", readCount, 1024)
        .option("--max-queued-jobs <count>", "jobs that may wait before starts are answered 429", readCount, 500)
        .option("--keep-days <days>", "ended jobs and bundles that nobody used for so long are removed", readCount, 90)
        .option("--keep-jobs <count>", "so many of the newest ended jobs of a domain are kept", readCount, 200)
        .option("--public-url <url>", "address clients use, where a proxy stands in front")
        .option("--strict", "fail jobs of sites that have warnings, such as dead links", false)
        .addOption(
            new Option("--deployment <type>", "the deployment that bundles are for; air-gapped: no search, no Try it")
                .choices(["cloud", "client-hosted", "air-gapped"])
                .default("client-hosted"),
        )
        .option("--acknowledge-try-it", "keep Try it on API pages of an air-gapped deployment", false)
        .option(
            "--agent-project <id=repository#branch>",
            "enable agent jobs for a project in this repository (repeatable)",
            addProject,
        )
        .option(
            "--agent-command <command>",
            "what runs the prompts of agent jobs: words, or a JSON array; no shell reads it",
            readCommand,
        )
        .option("--agent-env <name>", "environment variable that the agent gets (repeatable)", addName)
        .option("--agent-model <name>", "what jobs say they were done by (default: the command's name)")
        .option("--agent-time-limit-seconds <seconds>", "how long one prompt may take (default: 1800)", readSeconds)
        .option("--agent-pr-link <template>", "address of the pull request of a {branch}")
        .option("--agent-forge <kind=api>", "open pull requests at a github or gitlab API", readForge)
        .option("--agent-forge-token-env <name>", "environment variable that holds the forge's token")
        .option("--fault <spec>", "rehearse a fault, see below (repeatable)", addFault)
        .showHelpAfterError("(see static-export serve --help)")
        .addHelpText("after", () => `${examples}\n${faultHelp()}`)
        .action(async (options: Partial<ServeOptions>, command: Command) => {
            // Not a required option: commander would name it, and not the option that is misspelled.
            if (options.site === undefined) {
                command.error("error: required option '--site <domain=folder>' not specified");
            }
            await serve({ ...options, site: options.site } as ServeOptions);
        });
}
