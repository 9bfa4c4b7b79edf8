import { type Command, Option } from "commander";
import { type CliCommand } from "../command-line/cli-command.js";
import { UsageError } from "../command-line/usage-error.js";
import { databaseOption, expectDatabase } from "../serve/database-option.js";

interface MigrateOptions {
    database?: string;
    from?: string;
}

export const migrateCommand: CliCommand = {
    name: "migrate",
    summary: "Set up the PostgreSQL database of services and workers, or bring it up to this release.",
    options: [
        databaseOption("set this one up"),
        new Option(
            "--from <folder>",
            "copy the jobs of this data folder, whose service is stopped, into the empty database",
        ),
    ],
    exitCodes: { 0: "the schema is this release's", 1: "it could not be set up, or wrong usage" },
    examples: [
        "static-export migrate --database postgres://static_export@db.example.com/static_export",
        "static-export migrate --from ./.static-export",
    ],
    run: migrate,
};

async function migrate(options: MigrateOptions, command: Command): Promise<void> {
    const database = expectDatabase(options, command);
    const { migrateDatabase, ServiceOptionsError } = await import("@pulumi-static-export/service");
    try {
        const { from, to, copiedJobs } = await migrateDatabase(database, options.from);
        console.log(
            from === to ? `The schema is up to date (${to}).` : `The schema was brought from ${from} to ${to}.`,
        );
        if (options.from !== undefined) {
            console.log(
                `Copied ${copiedJobs} export jobs. Give services and workers this data folder: ${options.from}`,
            );
        }
    } catch (error) {
        throw error instanceof ServiceOptionsError ? new UsageError(error.message) : error;
    }
}
