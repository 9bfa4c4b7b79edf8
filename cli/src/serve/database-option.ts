import { type Command, Option } from "commander";

/** @param purpose - the command's use of the database */
export function databaseOption(purpose: string): Option {
    // An address may contain a password, so the help does not show the variable's value.
    return new Option("--database <url>", `PostgreSQL database, postgres://…: ${purpose}`).env(
        "STATIC_EXPORT_DATABASE_URL",
    );
}

/** Ends the command with wrong usage if neither the option nor the variable is given. */
export function expectDatabase({ database }: { database?: string }, command: Command): string {
    return database ?? command.error("error: no database: give --database or set STATIC_EXPORT_DATABASE_URL");
}
