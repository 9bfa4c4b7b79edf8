import assert from "node:assert/strict";
import { migrateDatabase } from "@pulumi-static-export/service";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { privateCertificate } from "../../charts/support/private-certificate.js";
import { waitUntil } from "../../wait-until.js";
import { usePostgres } from "../support/postgres.js";
import { withFolder } from "../support/running-service.js";

describe("A database with a certificate of a private CA", () => {
    const server = usePostgres();

    it("is migrated over TLS if its address names the CA, and otherwise says how to name the CA", async () => {
        await withFolder(async (folder) => {
            const url = await server().createDatabase();
            const { file, keyFile } = await privateCertificate(folder);
            const trusted = new PostgresDatabase(`${url}?sslmode=verify-full&sslrootcert=${file}`);
            try {
                await server().useCertificate({ file, keyFile });
                const connection = await waitUntil("the server uses its certificate", () =>
                    trusted
                        .get<{ ssl: boolean }>("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
                        .catch(() => undefined),
                );
                assert.deepEqual(connection, { ssl: true });
                await migrateDatabase(`${url}?sslmode=verify-full&sslrootcert=${file}`);
                await assert.rejects(
                    migrateDatabase(`${url}?sslmode=verify-full`),
                    /is not trusted: self-signed certificate \(DEPTH_ZERO_SELF_SIGNED_CERT\).*sslrootcert=/,
                );
            } finally {
                await trusted.close();
            }
        });
    });
});
