import { migrateDatabase } from "@pulumi-static-export/service";
import assert from "node:assert/strict";
import { usePostgres } from "../service/support/postgres.js";
import { type Outcome, run, withFolder } from "./support/command.js";

describe("static-export key", () => {
    const server = usePostgres();

    async function withDatabase(use: (key: (...args: string[]) => Promise<Outcome>) => Promise<void>): Promise<void> {
        const database = await server().createDatabase();
        await migrateDatabase(database);
        await withFolder((folder) =>
            use((...args) => run(folder, ["key", ...args], { STATIC_EXPORT_DATABASE_URL: database })),
        );
    }

    it("create prints only the key, so that the output can be redirected to a file", async () => {
        await withDatabase(async (key) => {
            const { exitCode, stdout, stderr } = await key("create", "ci", "--scope", "export", "--expires-days", "30");
            assert.equal(exitCode, 0, stderr);
            assert.match(stdout, /^admin_[0-9a-f]{64}\n$/);
            assert.match(
                stderr,
                /^Created key ci \(ak_\w+\): export of all domains and projects; created \S+, expires \S+\. The key is shown only now\.$/m,
            );
        });
    });

    it("list shows created and revoked keys, without their secrets", async () => {
        await withDatabase(async (key) => {
            const made = await key("create", "docs-team", "--scope", "read", "--domain", "docs.example.com");
            const revoked = await key("revoke", "docs-team");
            assert.equal(revoked.exitCode, 0, revoked.stderr);
            const { stdout } = await key("list");
            assert.match(stdout, /^docs-team \(ak_\w+\): read of docs\.example\.com; created \S+, revoked \S+\n$/);
            assert.ok(!stdout.includes(made.stdout.trim()));
            const [listed] = JSON.parse((await key("list", "--json")).stdout) as { name: string }[];
            assert.equal(listed?.name, "docs-team");
        });
    });

    it("create limits a key to domains and projects", async () => {
        await withDatabase(async (key) => {
            const limits = ["--domain", "docs.example.com", "--project", "docs", "--project", "api"];
            const { stderr } = await key("create", "docs-team", "--scope", "agent", "--scope", "export", ...limits);
            assert.match(stderr, /: agent, export of docs\.example\.com, project docs, project api; created /);
        });
    });

    it("create sets the priority of a key's jobs, and the limits for queued and running jobs", async () => {
        await withDatabase(async (key) => {
            const limits = ["--priority", "low", "--max-queued", "20", "--max-running", "2"];
            const { stderr } = await key("create", "nightly", "--scope", "export", ...limits);
            assert.match(
                stderr,
                /: export of all domains and projects; low priority, at most 20 queued, at most 2 running, /,
            );
            const refused = await key("create", "other", "--scope", "export", "--priority", "urgent");
            assert.deepEqual([refused.exitCode, /Allowed choices are normal, low/.test(refused.stderr)], [2, true]);
        });
    });

    it("refuses an unknown scope, an unknown key, and a missing database", async () => {
        await withDatabase(async (key) => {
            const scope = await key("create", "ci", "--scope", "write");
            assert.deepEqual(
                [scope.exitCode, scope.stderr],
                [2, 'error: There is no scope "write": use read, export, agent, update, keys.\n'],
            );
            const unknown = await key("revoke", "ci");
            assert.equal(unknown.stderr, 'error: There is no key "ci", or it was revoked already.\n');
            assert.equal((await key("list", "--database", "")).exitCode, 2);
        });
    });
});
