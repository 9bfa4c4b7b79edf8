import { migrateDatabase } from "@pulumi-static-export/service";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { usableFrom } from "../../../service/src/database/postgres-schema.js";
import { usePostgres } from "../support/postgres.js";
import { withFolder, withServiceOver } from "../support/running-service.js";
import { withWorker } from "../support/running-worker.js";
import { copyingExporter } from "../support/scripted-exporter.js";

const folder = new URL("../../../service/schema/", import.meta.url);

/** Statements that would break earlier releases. */
const removing = /\b(DROP (TABLE|COLUMN|CONSTRAINT)|RENAME|ALTER COLUMN|SET NOT NULL|ADD CONSTRAINT)\b/i;
const withoutDefault = /ADD COLUMN \w+ \w+ NOT NULL(?! DEFAULT)/i;

describe("The schema of a newer release", () => {
    const server = usePostgres();

    /** Creates a database whose schema is one version newer than this release's schema. */
    async function withNewerSchema(usableFromVersion: (latest: number) => number): Promise<string> {
        const database = await server().createDatabase();
        const { to } = await migrateDatabase(database);
        const sql = new PostgresDatabase(database);
        await sql.run("ALTER TABLE static_export_jobs ADD COLUMN added_later TEXT");
        await sql.run("UPDATE schema_version SET version = :version, usable_from = :usableFrom", {
            version: to + 1,
            usableFrom: usableFromVersion(to),
        });
        await sql.close();
        return database;
    }

    it("is used unchanged by this release if it only adds to the current schema", async () => {
        const database = await withNewerSchema((latest) => latest);
        const { from, to } = await migrateDatabase(database);
        assert.equal(from, to);
        await withFolder((data) =>
            withWorker(data, database, { exporter: copyingExporter }, () =>
                withServiceOver(data, { database }, async ({ start, reaches }) => {
                    await reaches(await start(), "completed");
                }),
            ),
        );
    });

    it("is refused if it removes something that this release uses", async () => {
        const database = await withNewerSchema((latest) => latest + 1);
        await assert.rejects(migrateDatabase(database), { name: "ServiceOptionsError", message: /newer release/ });
    });

    it("preserves everything that the previous release uses, because later migrations only add", () => {
        const contracting = readdirSync(folder).filter((name) => {
            const sql = readFileSync(new URL(name, folder), "utf8");
            return removing.test(sql) || withoutDefault.test(sql);
        });
        assert.deepEqual(
            contracting.filter((name) => Number.parseInt(name) > usableFrom),
            [],
        );
        assert.ok(removing.test("ALTER TABLE t DROP COLUMN c") && withoutDefault.test("ADD COLUMN c TEXT NOT NULL;"));
    });
});
