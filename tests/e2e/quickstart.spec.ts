import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startCommand, type RunningCommand } from "./support/run-command.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

describe("npm run quickstart, in a fresh copy of the checkout", () => {
    let clone: string;

    before(async () => {
        clone = await mkdtemp(join(tmpdir(), "static-export-clone-"));
        const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], { cwd: root });
        const deleted = execFileSync("git", ["ls-files", "--deleted", "-z"], { cwd: root }).toString().split("\0");
        const files = listed.toString().split("\0").filter((file) => file !== "" && !deleted.includes(file));
        for (const file of new Set(files)) {
            await mkdir(dirname(join(clone, file)), { recursive: true });
            await cp(join(root, file), join(clone, file));
        }
    });

    after(() => rm(clone, { recursive: true, force: true }));

    const start = (...args: string[]): RunningCommand =>
        startCommand("npm", ["run", "quickstart", "--", ...args], { cwd: clone, env: process.env });
    const run = async (...args: string[]) => {
        const { exitCode, output } = await start(...args).result;
        assert.equal(exitCode, 0, output);
        return output;
    };

    it("installs, exports, serves and checks the site with one command", async () => {
        const output = await run("--exit");
        assert.match(output, /Installing dependencies/);
        assert.match(output, /docs\.example\.com se_\w+: export started/);
        assert.match(output, /docs\.example\.com se_\w+: completed, 100 %/);
        assert.match(output, /Checked: all \d+ pages answer with their content\./);
    });

    it("changes nothing and starts nothing when it is run again", async () => {
        const output = await run("--exit");
        assert.match(output, /2 unchanged/);
        assert.doesNotMatch(output, /export started|Fetched the bundle|Installing/);
    });

    it("exports a new version in place and serves it", async () => {
        const output = await run("--exit", "--version", "2");
        assert.match(output, /~ 1 updated/);
        assert.equal(output.match(/^ +docs\.example\.com se_\w+: export started for version 2$/gm)?.length, 1);
        assert.match(output, /Fetched the bundle/);
    });

    it("replaces the live site from another terminal without a failed request, and stops on Ctrl-C", async () => {
        const serving = start();
        try {
            const [, address = ""] = await serving.seen(/The site is live at (\S+)[^]*Stop with Ctrl-C/);
            const load = new Load(address);
            assert.match(await run("--version", "3"), /The quickstart that is running \(process \d+\) serves it at/);
            await serving.seen(/Fetched the bundle/);
            const { answered, failures } = await load.stop();
            assert.deepEqual(failures, []);
            assert.ok(answered > 100, `${answered} requests`);
        } finally {
            process.kill(-serving.child.pid!, "SIGINT");
        }
        await serving.result;
        assert.throws(() => process.kill(-serving.child.pid!, 0), { code: "ESRCH" });
    });
});

/** Asks for a page without a pause until it is told to stop. */
class Load {
    readonly #failures: string[] = [];
    #answered = 0;
    #stopped = false;
    readonly #loop: Promise<void>;

    constructor(address: string) {
        this.#loop = this.#run(address);
    }

    async stop(): Promise<{ answered: number; failures: string[] }> {
        this.#stopped = true;
        await this.#loop;
        return { answered: this.#answered, failures: this.#failures };
    }

    async #run(address: string): Promise<void> {
        while (!this.#stopped && this.#answered < 100_000) {
            try {
                const response = await fetch(address);
                await response.text();
                if (!response.ok) {
                    this.#failures.push(`status ${response.status}`);
                }
            } catch (error) {
                this.#failures.push(String(error));
            }
            this.#answered++;
        }
    }
}
