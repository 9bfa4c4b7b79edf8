import { type Command, Option } from "commander";
import { type CliCommand } from "../../command-line/cli-command.js";
import { hostOption } from "../../command-line/listening-host.js";
import { readPort } from "../../command-line/options.js";
import { serviceFlags } from "../../serve/service-flags.js";
import { otherFlags } from "../../serve/service-settings.js";
import { serve, type ServeOptions } from "../../serve/serve.js";

const [siteFlag, ...flags] = serviceFlags("serve");
const notes = `
The settings for Pulumi programs and other clients:
  $ export STATIC_EXPORT_BASE_URL=http://127.0.0.1:8787
  $ export STATIC_EXPORT_ADMIN_API_KEY="$(cat .static-export/admin-api-key)"
`;

export const serveCommand: CliCommand = {
    name: "serve",
    summary: "Serve the admin API for folders of documentation until Ctrl-C.",
    options: [
        siteFlag!,
        new Option("--port <number>", "port to listen on; 0 picks a free one").argParser(readPort).default(8787),
        hostOption(),
        ...flags,
        ...otherFlags(),
    ],
    exitCodes: {
        0: "stopped by SIGTERM",
        2: "wrong usage or settings: the service cannot start",
        130: "stopped by Ctrl-C",
    },
    notes,
    examples: [
        "static-export serve --site docs.example.com=./docs",
        "static-export serve --site docs.example.com=./docs --port 0 --link-ttl-seconds 60",
    ],
    run: startService,
};

async function startService(options: Partial<ServeOptions>, command: Command): Promise<void> {
    // The option is not mandatory, because commander would report its absence before a misspelt option.
    if (options.sites === undefined && options.sitesFile === undefined) {
        command.error("error: required option '--site <domain=folder>' not specified, nor --sites-file <file>");
    }
    await serve(options as ServeOptions);
}
