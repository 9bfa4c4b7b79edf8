import { faultHelp } from "@pulumi-static-export/service/fault-help";
import { Command } from "commander";
import { serve } from "./serve.js";
import { addFault, addProject, addSite, readPort, readSeconds, type ServeOptions } from "./serve-options.js";

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
        .requiredOption(
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
        .option("--public-url <url>", "address clients use, where a proxy stands in front")
        .option(
            "--project <id=repository#branch>",
            "enable agent jobs for a project in this repository (repeatable)",
            addProject,
        )
        .option("--fault <spec>", "rehearse a fault, see below (repeatable)", addFault)
        .showHelpAfterError("(see static-export serve --help)")
        .addHelpText("after", () => `${examples}\n${faultHelp()}`)
        .action(async (options: ServeOptions) => serve(options));
}
