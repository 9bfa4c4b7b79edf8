import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EngineStack } from "./support/engine-stack.js";
import { adminApiKey, domain, Platform } from "./support/platform.js";

const program = `
const config = new pulumi.Config();
const bundle = new StaticExportBundle("docs", {
    domain: config.require("domain"),
    version: config.get("version"),
});
export const { jobId, bundleUrl, pageCount, version } = bundle;
`;

describe("StaticExportBundle on the real engine", () => {
    let platform: Platform;
    let stack: EngineStack;

    beforeEach(async () => {
        platform = await Platform.start();
        stack = await EngineStack.create({
            program,
            config: { domain, version: "1", "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
        });
    });

    afterEach(async () => {
        await stack.remove();
        await platform.stop();
    });

    it("runs one job on create, shows its progress, and yields a link that opens", async () => {
        const { output } = await stack.up();
        assert.equal(platform.count("start"), 1);
        assert.equal(platform.count("bundle"), 1);
        assert.match(output, /docs\.example\.com se_\w+: export started for version 1/);
        assert.match(output, /docs\.example\.com se_\w+: completed, 100 %, 2 pages/);
        assert.equal(await stack.output("pageCount"), 2);
        const response = await fetch((await stack.output("bundleUrl")) as string);
        assert.equal(response.status, 200);
        assert.ok((await response.arrayBuffer()).byteLength > 0);
    });

    it("makes no request at all when nothing has changed, in preview and in up", async () => {
        await stack.up();
        platform.requests.length = 0;
        const preview = await stack.succeed("preview", "--expect-no-changes");
        assert.match(preview.output, /2 unchanged/);
        const up = await stack.succeed("up", "--yes", "--expect-no-changes");
        assert.match(up.output, /2 unchanged/);
        assert.deepEqual(platform.requests, []);
    });

    it("updates in place with one new job when the version changes", async () => {
        await stack.up();
        const before = await stack.output("jobId");
        await stack.succeed("config", "set", "version", "2");
        const { output } = await stack.up();
        assert.match(output, /~ 1 updated/);
        assert.equal(platform.count("start"), 2);
        assert.notEqual(await stack.output("jobId"), before);
        assert.equal(await stack.output("version"), "2");
    });

    it("replaces when the domain changes, with one new job", async () => {
        await stack.up();
        await stack.succeed("config", "set", "domain", "other.example.com");
        const { output } = await stack.up();
        assert.match(output, /\+-1 replaced/);
        assert.equal(platform.count("start"), 2);
        assert.equal((await stack.resource())?.id, "other.example.com");
    });

    it("exports the current content when it is replaced or renamed right after a run", async () => {
        await stack.up();
        const { output } = await stack.succeed("up", "--yes", "--skip-preview", "--replace", "**::docs");
        assert.match(output, /\+-1 replaced/);
        assert.equal(platform.count("start"), 2);
        await stack.writeProgram(program.replace('"docs"', '"renamed"'));
        await stack.up();
        assert.equal(platform.count("start"), 3);
    });

    it("runs one job for two equal resources", async () => {
        const equal =
            'new StaticExportBundle("equal", { domain: config.require("domain"), version: config.get("version") })';
        await stack.writeProgram(`${program}\nexport const again = ${equal}.jobId;\n`);
        await stack.up();
        assert.equal(platform.count("start"), 1);
        assert.equal(await stack.output("again"), await stack.output("jobId"));
    });

    it("renews an expired link with one request and without an export", async () => {
        await platform.stop();
        platform = await Platform.start({ linkTtlSeconds: 1 });
        await stack.succeed("config", "set", "static-export:baseUrl", platform.service.url);
        await stack.up();
        const before = await stack.output("bundleUrl");
        // The next command starts more than a second after the link was made: the engine alone takes that long.
        platform.requests.length = 0;
        const { output } = await stack.up();
        assert.match(output, /~ 1 updated/);
        assert.deepEqual(
            platform.requests.map(({ operation }) => operation),
            ["bundle"],
        );
        assert.notEqual(await stack.output("bundleUrl"), before);
    });

    it("keeps everything on refresh, with one request", async () => {
        await stack.up();
        const before = await stack.resource();
        platform.requests.length = 0;
        const { output } = await stack.succeed("refresh", "--yes", "--skip-preview", "--expect-no-changes");
        assert.match(output, /2 unchanged/);
        assert.deepEqual(
            platform.requests.map(({ operation }) => operation),
            ["get"],
        );
        const after = await stack.resource();
        assert.deepEqual(after?.inputs, before?.inputs);
        assert.deepEqual(Object.keys(after?.outputs ?? {}), Object.keys(before?.outputs ?? {}));
        assert.equal(platform.count("start"), 0);
    });

    it("removes the resource on refresh when the platform no longer has the job, and up exports again", async () => {
        await stack.up();
        platform.service.setFaults(["get:vanish"]);
        const { output } = await stack.succeed("refresh", "--yes", "--skip-preview");
        assert.match(output, /- 1 deleted/);
        platform.service.setFaults([]);
        await stack.up();
        assert.equal(platform.count("start"), 2);
    });

    it("keeps the resource on refresh when the key is refused", async () => {
        await stack.up();
        platform.service.setFaults(["get:status=401"]);
        const { exitCode, output } = await stack.run("refresh", "--yes", "--skip-preview");
        assert.notEqual(exitCode, 0);
        assert.match(output, /401/);
        assert.ok(await stack.resource());
    });

    it("destroys without a key and without a request", async () => {
        await stack.up();
        await stack.succeed("config", "rm", "static-export:adminApiKey");
        await stack.succeed("config", "rm", "static-export:baseUrl");
        platform.requests.length = 0;
        const { output } = await stack.succeed("destroy", "--yes", "--skip-preview");
        assert.match(output, /- 2 deleted/);
        assert.deepEqual(platform.requests, []);
    });

    it("previews without a key and without a request, before the first up and after it", async () => {
        const file = join(stack.folder, "Pulumi.dev.yaml");
        const withKey = await readFile(file);
        const forgetKey = async () => {
            await stack.succeed("config", "rm", "static-export:adminApiKey");
            await stack.succeed("config", "rm", "static-export:baseUrl");
        };
        await forgetKey();
        assert.match((await stack.succeed("preview")).output, /\+ 2 to create/);
        assert.deepEqual(platform.requests, []);
        await writeFile(file, withKey);
        await stack.up();
        await forgetKey();
        platform.requests.length = 0;
        assert.match((await stack.succeed("preview")).output, /2 unchanged/);
        await stack.succeed("config", "set", "version", "2");
        assert.match((await stack.succeed("preview", "--diff")).output, /~ version: "1" => "2"/);
        assert.deepEqual(platform.requests, []);
    });

    it("says what to set when up has no key", async () => {
        await stack.succeed("config", "rm", "static-export:adminApiKey");
        const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview");
        assert.notEqual(exitCode, 0);
        assert.match(output, /No admin API key is set\. Run `pulumi config set --secret static-export:adminApiKey`/);
        assert.deepEqual(platform.requests, []);
    });

    it("refuses bad inputs in the preview, each by its name", async () => {
        await stack.succeed("config", "set", "domain", "https://docs.example.com/");
        const { exitCode, output } = await stack.run("preview");
        assert.notEqual(exitCode, 0);
        assert.match(output, /domain.*must be a host name without a scheme/s);
    });

    it("fails with the page and the line when a page does not parse, and a corrected one exports", async () => {
        platform.service.setFaults(["export:fail=guide.md:12: unclosed tag"]);
        const { exitCode, output } = await stack.run("up", "--yes", "--skip-preview");
        assert.notEqual(exitCode, 0);
        assert.match(output, /failed: guide\.md:12: unclosed tag/);
        platform.service.setFaults([]);
        await stack.up();
        assert.equal(platform.count("start"), 2);
    });

    it("resumes the same job after its wait timed out", async () => {
        await stack.writeProgram(
            program.replace(
                'domain: config.require("domain"),',
                'domain: config.require("domain"), timeoutSeconds: 1,',
            ),
        );
        platform.service.setFaults(["get:progress-back"]);
        const failed = await stack.run("up", "--yes", "--skip-preview");
        assert.notEqual(failed.exitCode, 0);
        assert.match(failed.output, /was not done after 1 s/);
        assert.ok((await stack.resource())?.outputs.pendingJobId);
        platform.service.setFaults([]);
        await stack.succeed("refresh", "--yes", "--skip-preview");
        await stack.up();
        assert.equal(platform.count("start"), 1);
        assert.equal((await stack.resource())?.outputs.pendingJobId, undefined);
        assert.match((await stack.succeed("preview")).output, /2 unchanged/);
    });

    it("destroys a stack whose wait timed out", async () => {
        await stack.writeProgram(
            program.replace(
                'domain: config.require("domain"),',
                'domain: config.require("domain"), timeoutSeconds: 1,',
            ),
        );
        platform.service.setFaults(["get:progress-back"]);
        await stack.run("up", "--yes", "--skip-preview");
        await stack.succeed("destroy", "--yes", "--skip-preview");
        assert.equal(await stack.resource(), undefined);
    });
});
