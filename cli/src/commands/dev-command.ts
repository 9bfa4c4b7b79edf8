import { Argument, Option } from "commander";
import { readPort } from "../command-line/options.js";
import { findSite } from "../build/find-site.js";
import { type CliCommand } from "../command-line/cli-command.js";
import { type DevOptions } from "../dev/run-dev.js";

/** Shows a site while its author writes it. */
export const devCommand: CliCommand = {
    name: "dev",
    summary:
        "Show a folder of documentation, with its warnings, in a browser while you write it, until you press Ctrl-C.",
    arguments: [
        new Argument(
            "[folder]",
            "folder of Markdown, with or without a docs.json (default: docs, or . if it has pages)",
        ),
    ],
    options: [
        new Option(
            "--port <number>",
            "port to listen on; 0 picks a free one (default: the first free one from 4400 on)",
        ).argParser(readPort),
    ],
    exitCodes: {
        0: "stopped by SIGTERM",
        130: "stopped by Ctrl-C",
    },
    notes:
        "Only browsers on this machine can connect. Pages for certain readers are shown, too. The button of a warning " +
        "opens its file in the editor that VISUAL or EDITOR names.",
    examples: ["static-export dev docs        then open http://127.0.0.1:4400/"],
    run: async (folder: string | undefined, options: DevOptions) =>
        // The server is imported here, because loading it would slow down the other commands.
        (await import("../dev/run-dev.js")).runDev(folder ?? findSite(".") ?? ".", options),
};
