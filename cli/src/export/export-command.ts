import { type Command } from "commander";
import { readSeconds } from "../serve-options.js";
import { addPage, addSaveOptions, createCommandAboutJobs } from "./job-options.js";
import { type ExportOptions, runExport } from "./run-export.js";

const examples = `
Examples:
  $ static-export export --domain docs.example.com --output site
  $ static-export export --job se_42 --output site
`;

/** The whole flow without Pulumi: start, wait, download, check, unpack. */
export function createExportCommand(): Command {
    return addSaveOptions(
        createCommandAboutJobs("export", "Export a site into a folder: start, wait, download, unpack."),
    )
        .option("--domain <host>", "host name of the site to export")
        .option("--version <label>", "label of the export (default: the latest published)")
        .option("--path <page>", "page to export (repeatable; default: all)", addPage)
        .option("--job <id>", "resume a job that was started before")
        .option("--timeout-seconds <seconds>", "how long to wait for the job", readSeconds, 3600)
        .addHelpText("after", examples)
        .action(async (options: ExportOptions) => runExport(options));
}
