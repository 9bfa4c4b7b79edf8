import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { transform } from "esbuild";
import { codeBlocks } from "../../docs/support/documents.js";
import { text, withServer } from "../../sdk/support/http-server.js";
import { EngineStack } from "../support/engine-stack.js";
import { adminApiKey, domain, Platform } from "../support/platform.js";

/** The program is its own language host, because the specs' language host for Node.js does not support hooks yet. */
const program = `
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import * as pulumi from "@pulumi/pulumi";
import { StaticExportBundle } from "pulumi-static-export";

const stack = await LocalWorkspace.createOrSelectStack(
    {
        projectName: "e2e",
        stackName: "dev",
        program: async () => {
            const hook = (name) =>
                new pulumi.ResourceHook(name, async ({ name: resource, newOutputs }) => {
                    console.log("hook", name, resource, newOutputs?.jobId ?? "none");
                });
            const hooks = {
                beforeCreate: [hook("before-create")],
                afterCreate: [hook("after-create")],
                afterUpdate: [hook("after-update")],
            };
            const { jobId } = new StaticExportBundle("docs", { domain: "${domain}", version: process.argv[2] }, { hooks });
            return { jobId };
        },
    },
    { workDir: import.meta.dirname },
);
const { outputs } = await stack.up();
console.log("job", outputs.jobId.value);
`;

/** The guide's program, as the body of the program above. */
const guideProgram = `
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";

const program = () => import("./index.js");
const names = { projectName: "e2e", stackName: "dev" };
const stack = await LocalWorkspace.createOrSelectStack({ ...names, program }, { workDir: import.meta.dirname });
await stack.setConfig("version", { value: process.argv[2] });
const { stdout } = await stack.up();
console.log(stdout);
`;

describe("resource hooks on the real engine", () => {
    let platform: Platform;
    let stack: EngineStack;

    before(async () => {
        platform = await Platform.start();
        stack = await EngineStack.create({
            program: {
                "Pulumi.yaml": "name: e2e\nruntime: nodejs\n",
                "package.json": '{ "name": "e2e", "private": true, "type": "module" }\n',
                "publish.js": program,
            },
            config: { "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
        });
    });
    after(async () => {
        await stack.remove();
        await platform.stop();
    });

    it("run before and after an export, and can read its job", async () => {
        for (const [version, expected] of [
            ["1", ["hook before-create docs none", "hook after-create docs"]],
            ["1", []],
            ["2", ["hook after-update docs"]],
        ] as const) {
            const { exitCode, output } = await stack.startOther(process.execPath, ["publish.js", version]).result;
            assert.equal(exitCode, 0, output);
            const [, job = ""] = /^job (se_\w+)$/m.exec(output) ?? [];
            const lines = output.split("\n").filter((line) => line.startsWith("hook "));
            assert.deepEqual(
                lines,
                expected.map((line) => (line.includes("after") ? `${line} ${job}` : line)),
            );
        }
        assert.equal(platform.count("start"), 2);
    });

    it("purge the changed paths of the guide's site, and only warn if the CDN refuses or is unreachable", async () => {
        const publish = async (version: string, text: string) => {
            await writeFile(join(platform.site, "start.md"), `---\ntitle: Start\n---\n\n${text}\n`);
            const { exitCode, output } = await stack.startOther(process.execPath, ["publish.js", version]).result;
            assert.equal(exitCode, 0, output);
            return output;
        };
        await withServer([text(200, ""), text(500, "")], async ({ baseUrl, requests }) => {
            const pathsOf = (request: number) => (JSON.parse(requests[request]!.body) as { paths: string[] }).paths;
            const published = join(stack.folder, "published");
            await mkdir(published);
            const page = codeBlocks("docs/guides/pulumi-features.md").find(({ title }) => title === "index.ts");
            const source = (page?.text ?? "")
                .replace("https://cdn.example.com", baseUrl)
                .replace('bucket: "docs-example-com"', `folder: ${JSON.stringify(published)}`);
            const { code } = await transform(source, { loader: "ts", format: "esm" });
            await stack.writeFiles({ "index.js": code, "publish.js": guideProgram });
            await publish("1", "One text.");
            await publish("1", "One text.");
            assert.equal(requests.length, 1);
            assert.ok(pathsOf(0).includes("/start.html"), String(pathsOf(0)));
            assert.match(await publish("2", "Another text."), /The CDN was not purged: it answered 500/);
            assert.ok(pathsOf(1).includes("/start.html"), String(pathsOf(1)));
        });
        assert.match(await publish("3", "A third text."), /The CDN was not purged: fetch failed/);
    });
});
