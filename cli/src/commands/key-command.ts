import { Argument, Option } from "commander";
import { addTo, jsonOption, readCount } from "../command-line/options.js";
import { type CliCommand, type ExitCodes } from "../command-line/cli-command.js";
import { createKey, listKeys, revokeKey } from "../keys/keys.js";
import { databaseOption } from "../serve/database-option.js";

const exitCodes: ExitCodes = { 0: "done", 2: "wrong usage or settings, or refused" };
const database = databaseOption("that of the services");
const name = new Argument("<name>", "what logs call the key");

export const keyCommand: CliCommand = {
    name: "key",
    summary: "Create, list and revoke admin API keys of services with a PostgreSQL database.",
    exitCodes,
    notes:
        "Services accept a new key and refuse a revoked one at once. The key of --admin-key-file may do everything; " +
        "a key with --domain or --project is restricted to the named domains or projects.",
    examples: [
        "static-export key create ci --scope export --scope read > ci-key",
        "static-export key create docs-team --scope read --domain docs.example.com --expires-days 90",
        "static-export key create writers --scope agent --project docs",
        "static-export key create nightly --scope export --priority low --max-running 2",
        "static-export key revoke ci",
    ],
    subcommands: [
        {
            name: "create",
            summary: "create a key, and print it; it cannot be shown again",
            arguments: [name],
            options: [
                database,
                new Option("--scope <scope>", "what it may do: read, export, update, agent or keys (repeatable)")
                    .argParser(addTo)
                    .makeOptionMandatory(),
                new Option("--domain <domain>", "only exports of this domain (repeatable)").argParser(addTo),
                new Option("--project <id>", "only agent jobs of this project (repeatable)").argParser(addTo),
                new Option(
                    "--priority <priority>",
                    "low: its jobs wait behind those of other keys, for half an hour at most",
                )
                    .choices(["normal", "low"])
                    .default("normal"),
                new Option(
                    "--max-queued <count>",
                    "how many of its jobs may wait (default: as many as in the queue)",
                ).argParser(readCount),
                new Option("--max-running <count>", "how many of its jobs run at once (default: no limit)").argParser(
                    readCount,
                ),
                new Option("--expires-days <days>", "days until it expires (default: never)").argParser(readCount),
            ],
            exitCodes,
            run: createKey,
        },
        {
            name: "list",
            summary: "list all keys, also revoked and expired ones",
            options: [database, jsonOption("the keys")],
            exitCodes,
            run: listKeys,
        },
        {
            name: "revoke",
            summary: "end a key",
            arguments: [name],
            options: [database],
            exitCodes,
            run: revokeKey,
        },
    ],
};
