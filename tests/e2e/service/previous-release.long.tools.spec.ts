import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bin, Command, withFolder } from "../../cli/support/command.js";
import { usePostgres } from "../../service/support/postgres.js";
import { waitUntil } from "../../wait-until.js";
import { buildPreviousRelease, hasPreviousRelease } from "./support/previous-release.js";

const domain = "docs.example.com";
const key = "admin_previous-release";
const jobs = "/v1/static-export/jobs";

describe("Processes of the previous release", function () {
    const server = usePostgres();
    let previous = "";
    let remove: () => void = () => undefined;

    before(async function () {
        // npm may install its dependencies for minutes.
        this.timeout(900_000);
        if (!(await hasPreviousRelease())) {
            console.log("      skipped: there is no previous release, or this checkout has no history.");
            this.skip();
        }
        await new Promise<void>((built, failed) => {
            withFolder(async (folder) => {
                const release = join(folder, "release");
                await mkdir(release);
                previous = await buildPreviousRelease(release);
                built();
                await new Promise<void>((resolve) => (remove = resolve));
            }).catch(failed);
        });
    });
    after(() => remove());

    /** Runs a service with one database and one data folder, whose processes may be of either release. */
    async function withParts(use: (parts: Parts) => Promise<void>): Promise<void> {
        const database = await server().createDatabase();
        await withFolder(async (folder) => {
            await writeFile(join(folder, "key"), key, { mode: 0o600 });
            const parts = new Parts(folder, database);
            try {
                await use(parts);
            } finally {
                await parts.stop();
            }
        });
    }

    it("export during a migration to this release's schema, and after a restart with that schema", async () => {
        await withParts(async (parts) => {
            await parts.run(previous, "migrate");
            let api = await parts.serve(previous);
            parts.work(previous);
            const before = await api.exports();
            const migrated = await parts.run(bin, "migrate");
            assert.match(migrated, /^The schema was updated from \d+ to \d+\.$/m);
            await api.exports();
            await parts.stop();
            api = await parts.serve(previous);
            parts.work(previous);
            await api.exports();
            assert.equal(await api.downloads(before), 200);
        });
    });

    it("share their jobs with processes of this release, and a rollback loses no job", async () => {
        await withParts(async (parts) => {
            await parts.run(bin, "migrate");
            const [earlier, later] = [await parts.serve(previous), await parts.serve(bin)];
            const worker = parts.work(previous);
            const byEarlier = await later.exports();
            assert.equal(await earlier.downloads(byEarlier), 200);
            await worker.end();
            const laterWorker = parts.work(bin);
            const byLater = await earlier.exports();
            assert.equal(await later.downloads(byLater), 200);
            await laterWorker.end();
            const queued = [await later.start("1"), await later.start("1"), await later.start("2")];
            await later.end();
            parts.work(previous);
            for (const jobId of queued) {
                await earlier.reaches(jobId);
                assert.equal(await earlier.downloads(jobId), 200);
            }
        });
    });
});

/** A process that ends at SIGTERM. */
class Part {
    readonly command: Command;

    constructor(command: Command) {
        this.command = command;
    }

    async end(): Promise<void> {
        this.command.signal("SIGTERM");
        await this.command.exited;
    }
}

class Api extends Part {
    readonly #url: string;

    constructor(command: Command, url: string) {
        super(command);
        this.#url = url;
    }

    async start(version: string): Promise<string> {
        const { jobId } = await this.#request("POST", jobs, { domain, version });
        return String(jobId);
    }

    async reaches(jobId: string): Promise<void> {
        await waitUntil(
            `${jobId} is completed`,
            async () => {
                const { status, error } = await this.#request("GET", `${jobs}/${jobId}`);
                assert.notEqual(status, "failed", String(error));
                return status === "completed";
            },
            { withinMs: 120_000 },
        );
    }

    async exports(): Promise<string> {
        const jobId = await this.start(`of ${performance.now()}`);
        await this.reaches(jobId);
        return jobId;
    }

    /** @returns the status of the bundle's download */
    async downloads(jobId: string): Promise<number> {
        const { bundleUrl } = await this.#request("POST", `${jobs}/${jobId}/bundle`);
        const response = await fetch(String(bundleUrl));
        await response.arrayBuffer();
        return response.status;
    }

    async #request(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
        const response = await fetch(this.#url + path, {
            method,
            headers: { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) },
            ...(body && { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
        return JSON.parse(text) as Record<string, unknown>;
    }
}

class Parts {
    readonly #folder: string;
    readonly #env: Record<string, string>;
    readonly #running: Part[] = [];

    constructor(folder: string, database: string) {
        this.#folder = folder;
        this.#env = { STATIC_EXPORT_DATABASE_URL: database };
    }

    async run(program: string, command: string): Promise<string> {
        const { exitCode, stdout, stderr } = await this.#spawn(program, [command]).exited;
        assert.equal(exitCode, 0, stderr);
        return stdout;
    }

    async serve(program: string): Promise<Api> {
        const args = ["serve", ...this.#shared, "--port", "0", "--admin-key-file", "key"];
        const command = this.#spawn(program, args);
        const api = new Api(command, await command.serves());
        this.#running.push(api);
        return api;
    }

    work(program: string): Part {
        const part = new Part(this.#spawn(program, ["work", ...this.#shared]));
        this.#running.push(part);
        return part;
    }

    async stop(): Promise<void> {
        await Promise.all(this.#running.map((part) => part.end()));
        this.#running.length = 0;
    }

    get #shared(): string[] {
        return ["--site", `${domain}=docs`, "--data-dir", "data"];
    }

    #spawn(program: string, args: readonly string[]): Command {
        return new Command(args, { cwd: this.#folder, env: this.#env, program });
    }
}
