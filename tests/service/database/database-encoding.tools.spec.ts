import assert from "node:assert/strict";
import { migrateDatabase } from "@pulumi-static-export/service";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { usePostgres } from "../support/postgres.js";

describe("A database on PostgreSQL whose encoding", () => {
    const server = usePostgres();

    async function createDatabase(encoding: string): Promise<string> {
        const address = new URL(await server().createDatabase());
        const database = new PostgresDatabase(address.href);
        const name = `encoding_${encoding.toLowerCase()}`;
        const locale = "TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'";
        await database.run(`CREATE DATABASE ${name} ENCODING '${encoding}' ${locale}`);
        await database.close();
        address.pathname = `/${name}`;
        return address.href;
    }

    it("lacks characters is refused, because the outcome of a job that contains them could not be stored", async () => {
        await assert.rejects(migrateDatabase(await createDatabase("LATIN1")), {
            name: "ServiceOptionsError",
            message: /in the encoding LATIN1, which lacks .* with the encoding UTF8\.$/,
        });
    });

    it("accepts all bytes is used", async () => {
        assert.equal((await migrateDatabase(await createDatabase("SQL_ASCII"))).from, 0);
    });
});
