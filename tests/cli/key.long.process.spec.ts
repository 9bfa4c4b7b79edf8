import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { adminApiKey, useService } from "../service/support/running-service.js";
import { copyingExporter } from "../service/support/scripted-exporter.js";
import { bin, type Outcome, run, withFolder } from "./support/command.js";

describe("static-export key", () => {
    const running = useService({ exporter: copyingExporter });

    const environment = () => ({
        STATIC_EXPORT_BASE_URL: running().service.url,
        STATIC_EXPORT_ADMIN_API_KEY: adminApiKey,
    });
    const key = (...args: string[]): Promise<Outcome> => run(tmpdir(), ["key", ...args], environment());
    const whoAmI = async (secret: string): Promise<number> =>
        (await running().request("GET", "/v1/whoami", { key: secret.trim() })).status;

    /** Runs the command with another standard output. */
    const keyTo = async (output: number | "ignore", ...args: string[]): Promise<Omit<Outcome, "stdout">> => {
        const child = spawn(process.execPath, [bin, "key", ...args], {
            env: { ...process.env, ...environment() },
            stdio: ["ignore", output, "pipe"],
        });
        const closed = once(child, "close");
        const stderr = await text(child.stderr!);
        await closed;
        return { exitCode: child.exitCode ?? -1, stderr };
    };

    it("list says that there are no keys, and shows when a key was last used", async () => {
        assert.equal((await key("list")).stdout, "There are no keys except the service's own.\n");
        const made = await key("create", "used", "--scope", "read");
        assert.equal(await whoAmI(made.stdout), 200);
        assert.match((await key("list")).stdout, /^used \(ak_\w+\): .*; created \S+, last used \d{4}-\d\d-\d\d$/m);
        await key("revoke", "used");
    });

    it("create prints only the key, so that the output can be redirected to a file", async () => {
        const { exitCode, stdout, stderr } = await key("create", "ci", "--scope", "export", "--expires-days", "30");
        assert.equal(exitCode, 0, stderr);
        assert.match(stdout, /^admin_[0-9a-f]{64}\n$/);
        assert.match(
            stderr,
            /^Created key ci \(ak_\w+\): export of all domains and projects; created \S+, expires \S+\. The key is shown only now\.$/m,
        );
        assert.equal(await whoAmI(stdout), 200);
    });

    it("create makes a file that its output is redirected to private", async () => {
        await withFolder(async (folder) => {
            const path = join(folder, "key");
            const file = await open(path, "w", 0o644);
            await keyTo(file.fd, "create", "redirected", "--scope", "read");
            await file.close();
            const { mode, size } = await stat(path);
            assert.deepEqual([mode & 0o777, size], [0o600, 71]);
        });
    });

    it("create asks for no key if its output is closed, because the key would be lost", async () => {
        const { exitCode, stderr } = await keyTo("ignore", "create", "closed", "--scope", "read");
        assert.deepEqual([exitCode, /Standard output is closed/.test(stderr)], [2, true]);
        assert.doesNotMatch((await key("list")).stdout, /^closed /m);
    });

    it("rotate keeps the earlier secret if the file of its output cannot be written", async () => {
        const { stdout: secret } = await key("create", "unwritten", "--scope", "read");
        await withFolder(async (folder) => {
            const path = join(folder, "key");
            await writeFile(path, "");
            const file = await open(path, "r");
            const { exitCode, stderr } = await keyTo(file.fd, "rotate", "unwritten");
            await file.close();
            assert.deepEqual([exitCode, /cannot be written|can be written/.test(stderr)], [2, true], stderr);
        });
        assert.equal(await whoAmI(secret), 200);
    });

    it("rotate says how to get another secret if its reader is gone", async () => {
        await key("create", "piped", "--scope", "read");
        const child = spawn(process.execPath, [bin, "key", "rotate", "piped"], {
            env: { ...process.env, ...environment() },
        });
        child.stdout.destroy();
        const stderr = await text(child.stderr);
        assert.match(stderr, /could not be written \(EPIPE\)\. .*: get another one with static-export key rotate ak_/);
        assert.notEqual(child.exitCode, 0);
    });

    it("create notes that no site has a domain of the key, but not that one of a pattern has", async () => {
        const { exitCode, stdout, stderr } = await key(
            "create",
            "typo",
            "--scope",
            "read",
            "--domain",
            "dosc.example.org",
        );
        assert.deepEqual([exitCode, await whoAmI(stdout)], [0, 200]);
        assert.match(stderr, /^Note: No site of this service has the domain dosc\.example\.org now\.$/m);
        const known = await key("create", "known", "--scope", "read", "--domain", "*.example.com");
        assert.doesNotMatch(known.stderr, /^Note/m);
    });

    it("list shows created and revoked keys, without their secrets", async () => {
        const made = await key("create", "docs-team", "--scope", "read", "--domain", "*.example.com");
        const revoked = await key("revoke", "docs-team");
        assert.equal(revoked.exitCode, 0, revoked.stderr);
        assert.equal(await whoAmI(made.stdout), 401);
        const { stdout } = await key("list");
        assert.match(stdout, /^docs-team \(ak_\w+\): read of \*\.example\.com; created \S+, revoked \S+$/m);
        assert.ok(!stdout.includes(made.stdout.trim()));
        const listed = JSON.parse((await key("list", "--json")).stdout) as { name: string }[];
        assert.ok(listed.some(({ name }) => name === "docs-team"));
    });

    it("list says that a key with an empty list of domains has nothing, which is not everything", async () => {
        const json = { name: "nothing", scopes: ["read"], domains: [] };
        assert.equal((await running().request("POST", "/v1/keys", { json })).status, 201);
        assert.match((await key("list")).stdout, /^nothing \(ak_\w+\): read of no domain and no project; /m);
    });

    it("create limits a key to domains and projects", async () => {
        const reach = ["--domain", "docs.example.com", "--project", "docs", "--project", "api"];
        const { stderr } = await key("create", "nightly", "--scope", "agent", "--scope", "export", ...reach);
        assert.match(stderr, /: agent, export of docs\.example\.com, project docs, project api; created /);
    });

    it("change gives other rights to the same secret, and needs at least one of them", async () => {
        const { stdout: secret } = await key("create", "changing", "--scope", "read", "--domain", "docs.example.com");
        const { stdout } = await key("change", "changing", "--scope", "export");
        assert.match(stdout, /^Changed key changing \(ak_\w+\): export of docs\.example\.com; created /);
        assert.equal(await whoAmI(secret), 200);
        const nothing = await key("change", "changing");
        assert.deepEqual([nothing.exitCode, /Name the rights that change/.test(nothing.stderr)], [2, true]);
    });

    it("rotate prints a new secret, and the earlier one works for as long as it says", async () => {
        const { stdout: first } = await key("create", "rotating", "--scope", "read");
        const second = await key("rotate", "rotating", "--grace-seconds", "600");
        assert.deepEqual([await whoAmI(first), await whoAmI(second.stdout)], [200, 200]);
        const third = await key("rotate", "rotating");
        assert.match(third.stderr, /The earlier secret no longer works\./);
        assert.deepEqual([await whoAmI(second.stdout), await whoAmI(third.stdout)], [401, 200]);
    });

    it("rotate-link-secret ends earlier links after their grace period", async () => {
        const { request, start, reaches } = running();
        const jobId = await start();
        await reaches(jobId, "completed");
        const { body } = await request("POST", `/v1/static-export/jobs/${jobId}/bundle`);
        const { pathname, search } = new URL(String(body["bundleUrl"]));
        const download = async () => (await request("GET", pathname + search, { key: null })).status;
        assert.match((await key("rotate-link-secret")).stdout, /^Links are signed with a new secret\./);
        assert.equal(await download(), 200);
        await key("rotate-link-secret", "--grace-seconds", "0");
        assert.equal(await download(), 403);
    });

    it("asks for the id of a key if another team's key has the same name", async () => {
        const { stdout } = await key("create", "team", "--scope", "keys", "--domain", "a.example.com");
        const own = { ...environment(), STATIC_EXPORT_ADMIN_API_KEY: stdout.trim() };
        const names = ["create", "team", "--scope", "keys", "--domain", "a.example.com"];
        const taken = await run(tmpdir(), ["key", ...names], own);
        assert.match(taken.stderr, /Key team already exists/);
        const other = await key("create", "same", "--scope", "read");
        assert.equal(other.exitCode, 0, other.stderr);
        const same = await run(
            tmpdir(),
            ["key", "create", "same", "--scope", "keys", "--domain", "a.example.com"],
            own,
        );
        assert.equal(same.exitCode, 0, same.stderr);
        const revoked = await key("revoke", "same");
        assert.equal(revoked.exitCode, 2);
        const [, id = ""] =
            /^error: Several keys have the name "same": give an id \((ak_\w+), ak_\w+\)\.$/m.exec(revoked.stderr) ?? [];
        assert.equal((await key("revoke", id)).exitCode, 0, revoked.stderr);
        assert.deepEqual([await whoAmI(other.stdout), await whoAmI(same.stdout)].sort(), [200, 401]);
    });

    it("refuses an unknown scope and an unknown key", async () => {
        const scope = await key("create", "wrong", "--scope", "write");
        assert.deepEqual(
            [scope.exitCode, /one of read, export, agent, update, keys/.test(scope.stderr)],
            [5, true],
            scope.stderr,
        );
        const unknown = await key("revoke", "nobody");
        assert.deepEqual(
            [unknown.exitCode, unknown.stderr],
            [2, 'error: There is no key "nobody", or it was already revoked.\n'],
        );
    });
});
