import { Option } from "commander";
import { type CliCommand } from "../../command-line/cli-command.js";
import { clientNotes, pathOption, readSeconds } from "../../command-line/options.js";
import { jobExitCodes, jobOptions, saveOptions } from "../../export/job-options.js";
import { type ExportOptions, runExport } from "../../export/run-export.js";

/** Runs an export without Pulumi: start, wait, download, check, unpack. */
export const exportCommand: CliCommand = {
    name: "export",
    summary: "Export a site into a folder: start, wait, download, unpack.",
    options: [
        ...jobOptions,
        ...saveOptions,
        new Option("--domain <host>", "host name of the site to export"),
        new Option("--version <label>", "label of the export (default: the latest published)"),
        pathOption(),
        new Option("--job <id>", "resume a job that was started before"),
        new Option("--timeout-seconds <seconds>", "how long to wait for the job and its bundle")
            .argParser(readSeconds)
            .default(3600),
    ],
    exitCodes: jobExitCodes,
    notes: clientNotes,
    examples: [
        "static-export export --domain docs.example.com --output site",
        "static-export export --job se_42 --output site",
    ],
    run: (options: ExportOptions) => runExport(options),
};
