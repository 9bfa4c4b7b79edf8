import assert from "node:assert/strict";
import { clusterStatus } from "@pulumi-static-export/cluster";
import { skipWithoutCluster } from "./kubernetes/support/skip-without-cluster.js";
import { FreshCopy } from "./support/fresh-copy.js";

/** A user who tries this project may already use a platform. */
const callersEnvironment = {
    STATIC_EXPORT_BASE_URL: "http://127.0.0.1:9",
    STATIC_EXPORT_ADMIN_API_KEY: "mint_5ecret",
    STATIC_EXPORT_ADMIN_KEY_PREFIX: "mint_",
};

describe("npm run quickstart, in a fresh copy of the checkout,", () => {
    let copy: FreshCopy;

    before(async () => {
        copy = await FreshCopy.create(callersEnvironment);
    });
    after(() => copy.remove());

    const start = (...args: string[]) => copy.start("npm", "run", "quickstart", "--", ...args);
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

    it("changes nothing and starts nothing when run again", async () => {
        const output = await run("--exit");
        assert.match(output, /2 unchanged/);
        assert.doesNotMatch(output, /export started|Fetched the bundle|Installing/);
    });

    it("exports a new version in place and serves it", async () => {
        const output = await run("--exit", "--version", "2");
        assert.match(output, /~ 1 updated/);
        assert.equal(output.match(/^ +docs\.example\.com se_\w+: export started$/gm)?.length, 1);
        assert.match(output, /Fetched the bundle/);
    });

    it("publishes two releases to a bucket and rolls back to the first while readers get every page", async () => {
        const output = await run("--exit", "--bucket");
        assert.match(output, /nginx with the configuration of charts\/documentation-sites at/);
        // Pulumi prints each line twice.
        assert.equal(new Set(output.match(/se_\w+(?=: export started)/g)).size, 2, output);
        assert.match(output, /The second release is live\. Back to the first:/);
        assert.match(output, /The first release is live again: \d{2,} requests, none failed\./);
        assert.match(output, /Checked: all \d+ pages answer with their content\./);
    });

    it("serves the site from a cluster that it creates and later removes", async function () {
        await skipWithoutCluster(this);
        const { state } = await clusterStatus({});
        const output = await run("--exit", "--kubernetes");
        assert.match(output, /kubernetes:helm\.sh\/v3:Release docs created/);
        assert.match(output, /Checked: all \d+ pages answer with their content\./);
        assert.equal((await clusterStatus({})).state, state);
    });

    it("exits immediately with code 130 if stopped before the site is live", async () => {
        const starting = copy.start("node", "dev/toolchain/start.mjs", "dev/quickstart/run.mjs");
        await starting.seen(/Admin service for/);
        starting.child.kill("SIGTERM");
        const shown = starting.seen(/The site is live/).then(() => starting.child.kill("SIGKILL"));
        const [{ exitCode, output }] = await Promise.all([starting.result, shown.catch(() => undefined)]);
        assert.equal(exitCode, 130, output);
        assert.doesNotMatch(output, /Updating|unchanged/);
    });

    it("replaces the live site from another terminal without a failed request, and stops on Ctrl-C", async () => {
        const serving = start();
        try {
            const [, address = ""] = await serving.seen(/The site is live at (\S+)[^]*Stop with Ctrl-C/);
            const load = new Load(address);
            const output = await run("--version", "3", "--exit");
            assert.match(output, /The quickstart that is running \(process \d+\) serves it at/);
            assert.match(output, /Checked: all \d+ pages answer with their content\./);
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

/** Requests a page continuously until stopped. */
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
