import { type FlagSettings } from "@pulumi-static-export/service/options";
import { type Command, Option } from "commander";
import { type CliCommand } from "../../command-line/cli-command.js";
import { UsageError } from "../../command-line/usage-error.js";
import { expectDatabase, serviceFlags } from "../../serve/service-flags.js";
import { readBucket } from "../../serve/service-settings.js";

interface MigrateOptions extends Partial<FlagSettings> {
    from?: string;
}

const [databaseFlag, ...bucketFlags] = serviceFlags("migrate");

export const migrateCommand: CliCommand = {
    name: "migrate",
    summary: "Set up the PostgreSQL database of services and workers, or bring it up to this release.",
    options: [
        databaseFlag!,
        new Option(
            "--from <folder>",
            "copy the jobs of this data folder into the empty database, and its bundles into the bucket; " +
                "stop its service first",
        ),
        ...bucketFlags,
    ],
    exitCodes: { 0: "the schema matches this release", 2: "wrong usage or settings: the schema could not be set up" },
    examples: [
        "static-export migrate --database postgres://static_export@db.example.com/static_export",
        "static-export migrate --from ./.static-export",
    ],
    run: migrate,
};

async function migrate(options: MigrateOptions, command: Command): Promise<void> {
    const database = expectDatabase(options, command);
    const bucket = readBucket(options);
    if (bucket !== undefined && options.from === undefined) {
        throw new UsageError("--bucket needs --from: the bucket receives the bundles of a data folder.");
    }
    const { migrateDatabase, ServiceOptionsError, StorageUnavailableError } =
        await import("@pulumi-static-export/service");
    try {
        const { from, to, copiedJobs } = await migrateDatabase(database, options.from, bucket);
        console.log(
            from === to ? `The schema is up to date (${to}).` : `The schema was updated from ${from} to ${to}.`,
        );
        if (options.from !== undefined) {
            const next =
                bucket === undefined
                    ? `Give services and workers this data folder: ${options.from}`
                    : `The bundles are in ${bucket.url}: start services and workers with this bucket.`;
            console.log(`Copied ${copiedJobs} export jobs. ${next}`);
        }
    } catch (error) {
        throw error instanceof ServiceOptionsError || error instanceof StorageUnavailableError
            ? new UsageError(error.message)
            : error;
    }
}
