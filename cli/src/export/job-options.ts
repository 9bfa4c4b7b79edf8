import { Command } from "commander";
import { type ClientOptions } from "../admin-client.js";
import { exitAsCheck } from "../exit-as-check.js";
import { exitCodesHelp } from "./exit-codes.js";

/** The options of every command about export jobs. */
export interface JobOptions extends ClientOptions {
    json?: boolean;
}

export function createCommandAboutJobs(name: string, description: string): Command {
    return exitAsCheck(new Command(name))
        .description(description)
        .option("--base-url <url>", "address of the service (default: STATIC_EXPORT_BASE_URL)")
        .option("--admin-key-file <file>", "file with the admin API key (default: STATIC_EXPORT_ADMIN_API_KEY)")
        .option("--json", "print the result as JSON")
        .addHelpText("after", exitCodesHelp);
}

/** Adds the options for the bundle's folder. */
export function addSaveOptions(command: Command): Command {
    return command
        .requiredOption("-o, --output <folder>", "folder for the site; it must not exist yet, or be empty")
        .option("--sha256 <hex>", "SHA-256 digest that the archive must have");
}

/** Collects the values of `--path`. */
export function addPage(page: string, pages: string[] = []): string[] {
    return [...pages, page];
}
