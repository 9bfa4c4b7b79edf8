import { faultHelp } from "@pulumi-static-export/service/fault-help";
import { type Command, Option } from "commander";
import { type CliCommand } from "../../command-line/cli-command.js";
import { hostOption } from "../../command-line/listening-host.js";
import { addTo } from "../../command-line/options.js";
import { agentOptions } from "../../serve/agent-options.js";
import { bucketOptions } from "../../serve/bucket-options.js";
import { databaseOption } from "../../serve/database-option.js";
import { limitOptions } from "../../serve/limit-options.js";
import { oidcOptions } from "../../serve/oidc-options.js";
import {
    gitTokenOption,
    graceOption,
    healthOption,
    bundleOptions,
    buildsNetworkOptions,
    sitesFileOption,
} from "../../serve/shared-options.js";
import { serve } from "../../serve/serve.js";
import { addPreviewDomain, addSite, readPort, type ServeOptions } from "../../serve/serve-options.js";
import { logFormatOption } from "../../serve/service-log.js";

const settings = `
The settings for Pulumi programs and other clients:
  $ export STATIC_EXPORT_BASE_URL=http://127.0.0.1:8787
  $ export STATIC_EXPORT_ADMIN_API_KEY="$(cat .static-export/admin-api-key)"
`;

export const serveCommand: CliCommand = {
    name: "serve",
    summary: "Serve the admin API for folders of documentation until Ctrl-C.",
    options: [
        new Option(
            "--site <domain=folder>",
            "enable static export of a domain, or of a path such as example.com/docs, from this folder of Markdown, or " +
                "from a repository: git+https://git.example.com/acme/docs.git#main:guides (repeatable)",
        ).argParser(addSite),
        sitesFileOption(),
        ...buildsNetworkOptions(),
        gitTokenOption(),
        new Option("--port <number>", "port to listen on; 0 picks a free one").argParser(readPort).default(8787),
        hostOption(),
        new Option("--data-dir <folder>", "where jobs, bundles and secrets are kept").default(".static-export"),
        databaseOption("keep jobs here; exports then run in `static-export work`"),
        ...bucketOptions(),
        new Option(
            "--admin-key-file <file>",
            "file with the admin API key (default: admin-api-key in the data folder, created if missing)",
        ),
        ...limitOptions("serve"),
        new Option("--no-dashboard", "serve no pages for people at /dashboard"),
        ...oidcOptions(),
        new Option("--public-url <url>", "address that clients use, if the service is behind a proxy"),
        new Option(
            "--preview-domain <domain=domain>",
            "preview branches of this site in a repository, each under a name below the other domain (repeatable; " +
                "default: previews get 403)",
        ).argParser(addPreviewDomain),
        new Option(
            "--webhook-secret-file <file>",
            "file with the secret of GitHub's or GitLab's webhooks, which start updates (default: webhooks get 403)",
        ),
        graceOption(
            "after a signal, time in which requests are still answered, so that clients move to another service",
        ),
        ...bundleOptions(),
        ...agentOptions(),
        new Option("--agent-model <name>", "model that jobs show (default: the command's name)"),
        healthOption(),
        logFormatOption(),
        new Option("--fault <spec>", "inject a fault, see below (repeatable)").argParser(addTo),
    ],
    exitCodes: {
        0: "stopped by SIGTERM",
        2: "wrong usage or settings: the service cannot start",
        130: "stopped by Ctrl-C",
    },
    notes: () => `${settings}\n${faultHelp()}`,
    examples: [
        "static-export serve --site docs.example.com=./docs",
        "static-export serve --site docs.example.com=./docs --port 0 --link-ttl-seconds 60",
        "static-export serve --site docs.example.com=./docs --fault get:status=503,times=2,retry-after=1",
    ],
    run: startService,
};

async function startService(options: Partial<ServeOptions>, command: Command): Promise<void> {
    // The option is not mandatory, because commander would report its absence before a misspelt option.
    if (options.site === undefined && options.sitesFile === undefined) {
        command.error("error: required option '--site <domain=folder>' not specified");
    }
    await serve(options as ServeOptions);
}
