import { Argument, Option } from "commander";
import { type CliCommand } from "../command-line/cli-command.js";
import { languages, targets } from "../init/project-files.js";
import { runInit } from "../init/run-init.js";

export function domainOption(): Option {
    return new Option("--domain <name>", "host name of the documentation site");
}

/** The options of every command that writes a Pulumi project, without defaults. */
export const projectOptions = {
    target: () => new Option("--for <target>", "where the exported site goes").choices(targets),
    language: () => new Option("--language <language>", "language of the program").choices(languages),
    others: [
        new Option("--bucket <name>", "an existing bucket, with --for bucket"),
        new Option("--chart <chart>", "this project's chart, with --for cluster in YAML and Python"),
        new Option(
            "--base-url <url>",
            "address of the service (default: STATIC_EXPORT_BASE_URL, else your own service)",
        ),
        new Option("--name <name>", "name of the project (default: the folder's name)"),
        new Option("-s, --stack <name>", "name of the stack").default("dev"),
    ],
};

/** Writes a project, from an empty folder to the first `pulumi up`. */
export const initCommand: CliCommand = {
    name: "init",
    summary: "Write a Pulumi project that exports a site, and print the commands that come next.",
    arguments: [new Argument("[folder]", "folder of the project").default(".")],
    options: [
        domainOption().makeOptionMandatory(),
        projectOptions.target().default("export"),
        projectOptions.language().default("typescript"),
        ...projectOptions.others,
    ],
    exitCodes: { 0: "written", 2: "wrong usage, or one of the files exists: nothing was written" },
    notes:
        "The command overwrites no file, installs nothing and sends no request. Domain, version and address are " +
        "settings of the stack: change them with pulumi config set.",
    examples: [
        "static-export init --domain docs.example.com",
        "static-export init site --domain docs.example.com --for bucket --bucket docs-example-com",
        "static-export init --domain docs.example.com --language yaml --base-url https://api.example.com",
    ],
    run: runInit,
};
