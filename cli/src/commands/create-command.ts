import { Argument, Option } from "commander";
import { readPort } from "../command-line/options.js";
import { type CliCommand } from "../command-line/cli-command.js";
import { type CreateOptions, kinds } from "../create/create-options.js";
import { domainOption, projectOptions } from "./init-command.js";

/** Starts a project of any kind from an empty folder. */
export const createCommand: CliCommand = {
    name: "create",
    summary:
        "Start a project in an empty folder: ask for its purpose, write its files, install this command, and run it.",
    arguments: [new Argument("[folder]", "folder of the project").default(".")],
    options: [
        new Option("--kind <kind>", "write pages, export with Pulumi, or run the service").choices(kinds),
        domainOption(),
        projectOptions.target(),
        projectOptions.language(),
        ...projectOptions.others,
        new Option("--no-install", "run neither npm nor pulumi plugin install"),
        new Option("--no-start", "do not start dev or the service"),
        new Option("--port <number>", "port of dev or of the service").argParser(readPort),
    ],
    exitCodes: {
        0: "the files were written, and a program that was started was stopped by SIGTERM",
        1: "an installation failed",
        130: "stopped by Ctrl-C",
    },
    notes:
        "The command asks only on a terminal, and only for options that are missing. It overwrites no file. A Pulumi " +
        "project is not started: the command prints what comes next, as init does.",
    examples: [
        "static-export create my-docs --kind writer",
        "static-export create my-project --kind pulumi --domain docs.example.com --language yaml",
        "static-export create my-service --kind service --domain docs.example.com --no-start",
    ],
    run: async (folder: string, options: CreateOptions) =>
        // The prompts are imported here, because loading them would slow down the other commands.
        (await import("../create/run-create.js")).runCreate(folder, options),
};
