import { parseBasePath } from "@pulumi-static-export/contract";
import { Argument, InvalidArgumentError, Option } from "commander";
import { type BuildOptions, runBuild } from "../build/run-build.js";
import { findSite } from "../build/find-site.js";
import { type CliCommand } from "../command-line/cli-command.js";
import { deploymentOptions, jsonOption, pathOption, privatePagesOptions } from "../command-line/options.js";

/** Exports a site without a service, for viewing and checking its pages before they are published. */
export const buildCommand: CliCommand = {
    name: "build",
    summary: "Export a folder of documentation on this machine, without a service, and list its mistakes.",
    arguments: [
        new Argument(
            "[folder]",
            "folder of Markdown, with or without a docs.json, or of finished HTML (default: docs, or . if it has pages)",
        ),
    ],
    options: [
        new Option(
            "-o, --output <folder>",
            "folder for the site: new, empty, or of an earlier build (default: the site is only checked)",
        ),
        new Option("--force", "replace whatever is in the output folder").default(false),
        new Option("--zip <file>", "file for the site as a zip archive that opens without a server"),
        new Option("--domain <host>", "host name of the site, for canonical addresses and its site map").default(
            "localhost",
            "none: no canonical addresses and no site map",
        ),
        new Option(
            "--base-path <path>",
            "path below which the host serves the site, such as /docs (default: the path of seo.metatags.canonical)",
        ).argParser(readBasePath),
        new Option("--version <label>", "label of the export"),
        pathOption(),
        new Option(
            "--prebuilt",
            "the folder is finished HTML, which is exported as it is (default: if it has index.html and no Markdown)",
        ),
        new Option(
            "--command [command]",
            'run the site\'s own builder first, such as "npm run build" (default: build.command in .static-export.yaml)',
        ),
        new Option("--output-folder <folder>", "folder that the command writes, such as build"),
        new Option("--base-folder <folder>", "folder in which the command runs (default: the folder itself)"),
        ...deploymentOptions("the site is"),
        ...privatePagesOptions(),
        new Option("--strict", "fail if the site has mistakes, such as dead links").default(false),
        new Option(
            "--warnings <file>",
            "file for all warnings, one JSON object per line; the result lists the first 100",
        ),
        jsonOption("the result"),
    ],
    exitCodes: {
        0: "built",
        1: "the site cannot be exported",
        130: "Ctrl-C",
        143: "SIGTERM",
    },
    examples: [
        "static-export build docs --output site      then open site/index.html",
        "static-export build docs --output site --domain docs.example.com      for publishing",
        "static-export build docs --zip docs.zip     then unpack it, and open docs/index.html",
        'static-export build . --command "npm run build" --output-folder build      runs the site\'s own builder',
        "static-export build docs --strict           fails on dead links and other mistakes, for checks of pull requests",
    ],
    run: (folder: string | undefined, options: BuildOptions) => runBuild(folder ?? defaultFolder(options), options),
};

/** A builder runs in the project's folder. */
function defaultFolder({ command }: BuildOptions): string {
    return command === undefined ? (findSite(".") ?? ".") : ".";
}

function readBasePath(text: string): string {
    const path = parseBasePath(text);
    if (path === undefined) {
        throw new InvalidArgumentError("Use a path such as /docs, or / for a site that is served at the root.");
    }
    return path;
}
