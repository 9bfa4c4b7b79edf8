import { Option } from "commander";
import { type ClientOptions } from "../command-line/admin-client.js";
import { type ExitCodes } from "../command-line/cli-command.js";
import { clientOptions, jsonOption } from "../command-line/options.js";

/** The options of every command about export jobs. */
export interface JobOptions extends ClientOptions {
    json?: boolean;
}

export const jobOptions: readonly Option[] = [...clientOptions, jsonOption("the result")];

/** The options for the bundle's folder. */
export const saveOptions: readonly Option[] = [
    new Option(
        "-o, --output <folder>",
        "folder for the site; it must not exist yet, or be empty",
    ).makeOptionMandatory(),
    new Option("--sha256 <hex>", "SHA-256 digest that the archive must have"),
];

export const jobExitCodes: ExitCodes = {
    0: "completed",
    1: "the job failed or its bundle was rejected",
    2: "wrong usage or settings",
    3: "timed out",
    5: "a request failed",
    130: "Ctrl-C",
    143: "SIGTERM",
};
