import { Command } from "commander";
import { deploymentOption } from "../deployment-option.js";
import { exitAsCheck } from "../exit-as-check.js";
import { addPage } from "../export/job-options.js";
import { type BuildOptions, runBuild } from "./run-build.js";

const help = `
Exit codes: 0 built, 1 the site cannot be exported, 2 wrong usage, 130 Ctrl-C, 143 SIGTERM.

Examples:
  $ static-export build docs --output site      then open site/index.html
  $ static-export build docs --strict           fails on dead links and other mistakes, for checks of pull requests
`;

/** An export without a service: to look at a site before it is published, and to check its pages. */
export function createBuildCommand(): Command {
    return exitAsCheck(new Command("build"))
        .description("Export a folder of documentation on this machine, without a service, and list its mistakes.")
        .argument("[folder]", "folder of Markdown, with or without a docs.json", ".")
        .option("-o, --output <folder>", "folder for the site, empty or new (default: the site is only checked)")
        .option("--domain <host>", "host name of the site, for canonical addresses and its site map", "localhost")
        .option("--version <label>", "label of the export")
        .option("--path <page>", "page to export (repeatable; default: all)", addPage)
        .addOption(deploymentOption("the site is"))
        .option("--acknowledge-try-it", "keep Try it on API pages of an air-gapped deployment", false)
        .option("--strict", "fail if the site has mistakes, such as dead links", false)
        .option("--json", "print the result as JSON")
        .addHelpText("after", help)
        .action(async (folder: string, options: BuildOptions) => runBuild(folder, options));
}
