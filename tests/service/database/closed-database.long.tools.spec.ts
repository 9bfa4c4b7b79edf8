import assert from "node:assert/strict";
import { createService, createWorker, migrateDatabase } from "@pulumi-static-export/service";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { waitUntil } from "../../wait-until.js";
import { usePostgres } from "../support/postgres.js";
import { adminApiKey, domain, withFolder, withServiceOver } from "../support/running-service.js";
import { withWorker } from "../support/running-worker.js";
import { ScriptedExporter } from "../support/scripted-exporter.js";

const user = "docs";

interface Closing {
    close: string[];
    open: string[];
}

/** How an operator closes a database for its user, and opens it again. */
const closings: Readonly<Record<string, (name: string) => Closing>> = {
    "accepts no connections": (name) => ({
        close: [`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`],
        open: [`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`],
    }),
    "refuses its user": () => ({ close: [`ALTER ROLE ${user} NOLOGIN`], open: [`ALTER ROLE ${user} LOGIN`] }),
    "has another name": (name) => ({
        close: [`ALTER ROLE ${user} CONNECTION LIMIT 0`, end, `ALTER DATABASE ${name} RENAME TO ${name}_away`],
        open: [`ALTER DATABASE ${name}_away RENAME TO ${name}`],
    }),
    "gives its user no right to connect": (name) => ({
        close: [`REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`],
        open: [`GRANT CONNECT ON DATABASE ${name} TO PUBLIC`],
    }),
};

const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${user}'`;

describe("A database that its operator closes", function () {
    this.timeout(60_000);
    const server = usePostgres();

    interface Given {
        database: string;
        close: () => Promise<void>;
        open: () => Promise<void>;
    }

    /** Creates a database of an ordinary user. */
    async function withDatabase(
        closing: (name: string) => Closing,
        use: (given: Given, folder: string) => Promise<void>,
    ): Promise<void> {
        const url = new URL(await server().createDatabase());
        const name = url.pathname.slice(1);
        const admin = new PostgresDatabase(url.href.replace(url.pathname, "/postgres"));
        const owner = new PostgresDatabase(url.href);
        const { close, open } = closing(name);
        const run = async (statements: readonly string[]) => {
            for (const statement of statements) {
                await admin.run(statement);
            }
        };
        try {
            await owner.run(
                `DO $$ BEGIN CREATE ROLE ${user} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
                 GRANT ALL ON SCHEMA public TO ${user}`,
            );
            await owner.close();
            url.username = user;
            const database = url.href;
            await migrateDatabase(database);
            await withFolder((folder) =>
                use(
                    {
                        database,
                        close: () => run([...close, end, `ALTER ROLE ${user} CONNECTION LIMIT -1`]),
                        open: () => run(open),
                    },
                    folder,
                ),
            );
        } finally {
            await admin.close();
        }
    }

    for (const [how, closing] of Object.entries(closings)) {
        it(`delays requests and the end of a job, and no work is lost (it ${how})`, async () => {
            await withDatabase(closing, async ({ database, close, open }, folder) => {
                const exporter = new ScriptedExporter();
                const errors: string[] = [];
                const logger = { info: () => undefined, error: (message: string) => void errors.push(message) };
                await withWorker(folder, database, { exporter, retryMs: 50, logger }, () =>
                    withServiceOver(folder, { database }, async (service) => {
                        const jobId = await service.start();
                        const running = await exporter.nth(1);
                        await close();
                        await waitUntil("the refusal is reported", async () => {
                            const path = `/v1/static-export/jobs/${jobId}`;
                            const { status, headers, body } = await service.request("GET", path);
                            assert.equal(status, 503);
                            assert.match(String(headers.get("retry-after")), /^\d+$/);
                            return String(body["error"]).includes("(it refuses the service): try again");
                        });
                        await running.complete();
                        await waitUntil("the worker tries again", () =>
                            errors.some((line) => /tries again.* refuses the connection/.test(line)),
                        );
                        await open();
                        await service.reaches(jobId, "completed");
                        assert.equal(exporter.begun.length, 1);
                    }),
                );
            });
        });

        it(`ends a start with the reason (it ${how})`, async () => {
            await withDatabase(closing, async ({ database, close, open }, folder) => {
                await close();
                const options = { dataDir: `${folder}/data`, database, sites: { [domain]: `${folder}/site` } };
                const api = createService({ ...options, adminApiKey });
                const worker = createWorker(options);
                const expected = { name: "ServiceOptionsError", message: /^The database refuses the connection/ };
                try {
                    await assert.rejects(api.listen(), expected);
                    await assert.rejects(worker.start(), expected);
                    await assert.rejects(migrateDatabase(database), expected);
                } finally {
                    await Promise.all([api.close(), worker.close()]);
                    await open();
                }
            });
        });
    }
});
