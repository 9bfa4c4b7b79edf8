import { faultHelp } from "@pulumi-static-export/service/fault-help";
import { Command } from "commander";
import { deploymentOption } from "./deployment-option.js";
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

The settings for Pulumi programs and other clients:
  $ export STATIC_EXPORT_BASE_URL=http://127.0.0.1:8787
  $ export STATIC_EXPORT_ADMIN_API_KEY="$(cat .static-export/admin-api-key)"
`;

export function createServeCommand(): Command {
    return new Command("serve")
        .description("Serve the admin API for folders of documentation until Ctrl-C.")
        .option(
            "--site <domain=folder>",
            "enable static export of a domain, from this folder of Markdown (repeatable)",
            addSite,
        )
        .option("--port <number>", "port to listen on; 0 picks a free one", readPort, 8787)
        .option(
            "--host <address>",
            "address to listen on; the default is reachable from this machine only",
            "127.0.0.1",
        )
        .option("--data-dir <folder>", "where jobs, bundles and secrets are kept", ".static-export")
        .option(
            "--admin-key-file <file>",
            "file with the admin API key (default: admin-api-key in the data folder, created if missing)",
        )
        .option("--link-ttl-seconds <seconds>", "how long a bundle link works", readSeconds, 3600)
        .option("--job-timeout-seconds <seconds>", "time limit of one export job", readSeconds, 900)
        .option("--export-memory-mb <megabytes>", "memory of the heap of one export process", readCount, 1024)
        .option("--max-queued-jobs <count>", "jobs that may be queued before starts get 429", readCount, 500)
        .option("--keep-days <days>", "remove finished jobs and bundles that were unused for this long", readCount, 90)
        .option("--keep-jobs <count>", "number of finished jobs to keep for each domain", readCount, 200)
        .option(
            "--keep-keys-days <days>",
            "repeated starts find their job by its Idempotency-Key for this long",
            readCount,
            7,
        )
        .option("--public-url <url>", "address that clients use, if the service is behind a proxy")
        .option("--strict", "fail jobs of sites that have warnings, such as dead links", false)
        .addOption(deploymentOption("bundles are"))
        .option("--acknowledge-try-it", "keep Try it on API pages of an air-gapped deployment", false)
        .option(
            "--agent-project <id=repository#branch>",
            "enable agent jobs for a project in this repository (repeatable)",
            addProject,
        )
        .option(
            "--agent-command <command>",
            "command that runs the prompts of agent jobs: words, or a JSON array; without a shell",
            readCommand,
        )
        .option("--agent-env <name>", "environment variable to pass to the agent (repeatable)", addName)
        .option("--agent-model <name>", "model that jobs show (default: the command's name)")
        .option("--agent-time-limit-seconds <seconds>", "time limit of one prompt (default: 1800)", readSeconds)
        .option("--agent-pr-link <template>", "template for the address of the pull request of a {branch}")
        .option("--agent-forge <kind=api>", "open pull requests at a github or gitlab API", readForge)
        .option("--agent-forge-token-env <name>", "environment variable that holds the forge's token")
        .option("--fault <spec>", "inject a fault, see below (repeatable)", addFault)
        .showHelpAfterError("(see static-export serve --help)")
        .addHelpText("after", () => `${examples}\n${faultHelp()}`)
        .action(async (options: Partial<ServeOptions>, command: Command) => {
            // Not a required option: then commander would report it instead of a misspelled option.
            if (options.site === undefined) {
                command.error("error: required option '--site <domain=folder>' not specified");
            }
            await serve({ ...options, site: options.site } as ServeOptions);
        });
}
