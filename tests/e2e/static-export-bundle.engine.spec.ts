import assert from "node:assert/strict";
import { EngineStack } from "./support/engine-stack.js";
import { adminApiKey, domain, Platform } from "./support/platform.js";
import { serviceKinds } from "./support/service-kinds.js";
import { isLong, itInLong } from "../scale.js";

const program = `
const config = new pulumi.Config();
const bundle = new StaticExportBundle("docs", {
    domain: config.require("domain"),
    version: config.get("version"),
    timeoutSeconds: config.getNumber("timeoutSeconds"),
});
export const { jobId, bundleUrl, pageCount, version } = bundle;
`;

/** A platform, and a stack whose configuration contains everything except its key. */
class Ground {
    private constructor(
        readonly platform: Platform,
        readonly stack: EngineStack,
    ) {}

    static async create(options: Parameters<typeof Platform.start>[0] = {}): Promise<Ground> {
        const platform = await Platform.start(options);
        const config = { domain, version: "1", "static-export:baseUrl": platform.service.url };
        return new Ground(platform, await EngineStack.create({ program, config }));
    }

    setKey(): Promise<void> {
        return this.stack.configure({
            config: { "static-export:baseUrl": this.platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
        });
    }

    async forgetKey(): Promise<void> {
        await this.stack.removeConfig("static-export:adminApiKey", "static-export:baseUrl");
    }

    /** Returns the requests to the platform since the last call, or since the spec began. */
    requests(): string[] {
        return this.platform.requests.splice(0).map(({ operation }) => String(operation));
    }

    async remove(): Promise<void> {
        await this.stack.remove();
        await this.platform.stop();
    }
}

const starts = (requests: readonly string[]) => requests.filter((operation) => operation === "start").length;

/** One stack for the whole suite: each spec continues where the previous spec ended. */
for (const { name, create } of isLong ? serviceKinds.slice(-1) : serviceKinds.slice(0, 1)) {
    describe(`StaticExportBundle on the real engine, with a service ${name}, from the first preview to destroy`, () => {
        let ground: Ground;
        let stack: EngineStack;

        before(async () => {
            ground = await Ground.create({ create });
            ({ stack } = ground);
        });
        after(() => ground.remove());

        it("previews without a key and without a request", async () => {
            assert.match((await stack.succeed("preview")).output, /\+ 2 to create/);
            assert.deepEqual(ground.requests(), []);
        });

        it("runs one job on create, shows its progress, and returns a working link", async () => {
            await ground.setKey();
            const { output } = await stack.up();
            const requests = ground.requests();
            assert.equal(starts(requests), 1);
            assert.equal(requests.filter((operation) => operation === "bundle").length, 1);
            assert.match(output, /docs\.example\.com se_\w+: export started/);
            assert.match(output, /docs\.example\.com se_\w+: completed, 100 %, 2 pages/);
            assert.equal((await stack.resource())?.outputs.pageCount, 2);
            const response = await fetch((await stack.output("bundleUrl")) as string);
            assert.equal(response.status, 200);
            assert.ok((await response.arrayBuffer()).byteLength > 0);
        });

        it("makes no request in preview and up if nothing has changed", async () => {
            ground.requests();
            const { output } = await stack.succeed("up", "--yes", "--expect-no-changes");
            assert.equal(output.match(/2 unchanged/g)?.length, 2, output);
            assert.deepEqual(ground.requests(), []);
        });

        itInLong("keeps the state unchanged on refresh, with one request", async () => {
            const before = await stack.resource();
            const { output } = await stack.succeed("refresh", "--yes", "--skip-preview", "--expect-no-changes");
            assert.match(output, /2 unchanged/);
            assert.deepEqual(ground.requests(), ["get"]);
            const after = await stack.resource();
            assert.deepEqual(after?.inputs, before?.inputs);
            assert.deepEqual(Object.keys(after?.outputs ?? {}), Object.keys(before?.outputs ?? {}));
        });

        it("shows a new version in a preview without a key and without a request", async () => {
            await ground.forgetKey();
            await stack.configure({ config: { version: "2" } });
            ground.requests();
            assert.match((await stack.succeed("preview", "--diff")).output, /~ version: "1" => "2"/);
            assert.deepEqual(ground.requests(), []);
        });

        it("updates in place with one new job when the version changes", async () => {
            await ground.setKey();
            const before = await stack.resource();
            const { output } = await stack.up();
            assert.match(output, /~ 1 updated/);
            assert.equal(starts(ground.requests()), 1);
            const after = await stack.resource();
            assert.notEqual(after?.outputs.jobId, before?.outputs.jobId);
            assert.equal(after?.outputs.version, "2");
        });

        itInLong(
            "removes the resource on refresh if the platform no longer has the job, and exports again",
            async () => {
                ground.platform.service.setFaults(["get:vanish"]);
                const { output } = await stack.succeed("refresh", "--yes", "--skip-preview");
                ground.platform.service.setFaults([]);
                assert.match(output, /- 1 deleted/);
                await stack.up();
                assert.equal(starts(ground.requests()), 1);
            },
        );

        itInLong("replaces the resource with one new job when the domain changes", async () => {
            await stack.configure({ config: { domain: "other.example.com" } });
            const { output } = await stack.up();
            assert.match(output, /\+-1 replaced/);
            assert.equal(starts(ground.requests()), 1);
            assert.equal((await stack.resource())?.id, "other.example.com");
        });

        itInLong(
            "exports the current content when it is renamed, and runs one job for two equal resources",
            async () => {
                const equal =
                    'new StaticExportBundle("equal", { domain: config.require("domain"), version: config.get("version") })';
                await stack.writeProgram(
                    `${program.replace('"docs"', '"renamed"')}\nexport const again = ${equal}.jobId;\n`,
                );
                await stack.up();
                assert.equal(starts(ground.requests()), 1);
                assert.equal(await stack.output("again"), await stack.output("jobId"));
            },
        );

        it("is destroyed without a key and without a request", async () => {
            await ground.forgetKey();
            const { output } = await stack.succeed("destroy", "--yes", "--skip-preview");
            assert.match(output, /- [23] deleted/);
            assert.deepEqual(ground.requests(), []);
        });
    });
}

describe("StaticExportBundle on the real engine, with expired links and failed waits,", () => {
    itInLong("renews an expired link with one request and without an export", async () => {
        const ground = await Ground.create({ linkTtlSeconds: 1 });
        try {
            await ground.setKey();
            await ground.stack.up();
            const before = await ground.stack.output("bundleUrl");
            ground.requests();
            // The renewal starts more than a second after the link was created, because the engine alone takes that
            // long.
            const { output } = await ground.stack.up();
            assert.match(output, /~ 1 updated/);
            assert.deepEqual(ground.requests(), ["bundle"]);
            assert.notEqual(await ground.stack.output("bundleUrl"), before);
        } finally {
            await ground.remove();
        }
    });

    describe("when its wait fails,", () => {
        let ground: Ground;
        let stack: EngineStack;

        before(async () => {
            ground = await Ground.create();
            ({ stack } = ground);
            await ground.setKey();
            await stack.configure({ config: { timeoutSeconds: "1" } });
        });
        after(() => ground.remove());

        itInLong("reports the timeout, and resumes the same job in the next run", async () => {
            ground.platform.service.setFaults(["get:progress-back"]);
            const failed = await stack.run("up", "--yes", "--skip-preview");
            ground.platform.service.setFaults([]);
            assert.notEqual(failed.exitCode, 0);
            assert.match(failed.output, /was not done after 1 s/);
            assert.ok((await stack.resource())?.outputs.pendingJobId);
            await stack.succeed("refresh", "--yes", "--skip-preview");
            // On a busy machine, the export takes longer than a second.
            await stack.configure({ config: { timeoutSeconds: "300" } });
            await stack.up();
            assert.equal(starts(ground.requests()), 1);
            assert.equal((await stack.resource())?.outputs.pendingJobId, undefined);
            assert.match((await stack.succeed("preview")).output, /2 unchanged/);
        });
    });
});
