import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../../schema/", import.meta.url);

/**
 * The statements of each released schema, in the order in which they apply; a database's version is the number of
 * schemas that were applied to it. The files are written for PostgreSQL.
 */
export function readSchemas(database: "postgres" | "sqlite"): string[] {
    const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
    const schemas = files.sort().map((name) => readFileSync(new URL(name, folder), "utf8"));
    return database === "postgres" ? schemas : schemas.map(toSqlite);
}

/** @param sql - as it is written for PostgreSQL */
export function toSqlite(sql: string): string {
    return sql
        .replaceAll("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "INTEGER PRIMARY KEY AUTOINCREMENT")
        .replaceAll("(extract(epoch FROM now()) * 1000)::bigint", "CAST(strftime('%s', 'now') AS INTEGER) * 1000")
        .replaceAll("BIGINT", "INTEGER")
        .replaceAll("\n);", "\n) STRICT;");
}
