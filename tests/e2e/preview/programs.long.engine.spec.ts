import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { bucket, credentials, S3Server } from "../../provider/bundle-mirror/s3-server.js";
import { assertRecorded, markdownOf } from "../../cli/preview/support/golden.js";
import { domain } from "../support/platform.js";
import { PreviewStack, programOf, type RecordedPreview } from "./support/preview-stack.js";

const policyPack = fileURLToPath(new URL("../../../policy/bin/policy-pack.mjs", import.meta.url));

/** A third-party program: resources of another provider, in a component, some of them protected. */
const foreignProgram = (size: string, rest: string): string => `
class Thing extends pulumi.dynamic.Resource {
    constructor(name: string, args: Record<string, unknown>, opts?: pulumi.CustomResourceOptions) {
        super({
            async create(inputs: any) { return { id: "1", outs: inputs }; },
            async diff(_id: string, olds: any, news: any) {
                const replaces = olds.zone === news.zone ? [] : ["zone"];
                return { changes: olds.size !== news.size || replaces.length > 0, replaces, deleteBeforeReplace: true };
            },
            async update(_id: string, _olds: any, news: any) { return { outs: news }; },
        }, name, args, opts, "acme", "Thing");
    }
}
class Group extends pulumi.ComponentResource {
    constructor(name: string) {
        super("acme:index:Group", name);
        new Thing("member", { size: ${size}, token: pulumi.secret("hidden-" + ${size}) }, { parent: this });
    }
}
new Group("group");
${rest}
`;

describe("The preview report of a program on the real engine", () => {
    let preview: PreviewStack;

    before(async () => {
        preview = await PreviewStack.create();
    });
    beforeEach(() => preview.reset());
    after(() => preview.remove());

    async function record(name: string, program: string, ...args: string[]): Promise<RecordedPreview> {
        await preview.write(program);
        const recorded = await preview.preview(...args);
        await assertRecorded(name, recorded.log);
        return recorded;
    }

    it("counts broken rules first, and then lists replacements, exports, releases and rules", async () => {
        await preview.edit((resources) => {
            const docs = resources.find(({ type }) => type.endsWith(":StaticExportBundle"))!;
            for (const [name, host, expiresAt] of [
                ["handbook", "handbook.example.com", "2026-11-18T09:30:00.000Z"],
                ["api", "api.example.com", docs.outputs["expiresAt"]],
            ] as const) {
                const own = { domain: host };
                resources.push({
                    ...docs,
                    urn: docs.urn.replace(/docs$/, name),
                    id: host,
                    inputs: { ...docs.inputs, ...own },
                    outputs: { ...docs.outputs, ...own, expiresAt },
                });
            }
        });
        const rest = `
            new StaticExportBundle("handbook", { domain: "handbook.example.com", version: "1" });
            new StaticExportBundle("api", { domain: "reference.example.com", version: "1" });
            new k8s.helm.v3.Release("reference", {
                name: "reference", namespace: "docs", chart: "./chart", values: { staticExport: { enabled: true } },
            });`;
        const program = programOf({ bundle: 'version: "2026-11-20"', rest });
        const { exitCode } = await record("review", program, "--policy-pack", policyPack);
        assert.notEqual(exitCode, 0);
    });

    it("names the refused inputs", async () => {
        await record("failed-inputs", programOf({ domain: "https://docs.example.com/" }));
    });

    it("shows no password of a refused input", async () => {
        await preview.write(programOf({ domain: "https://me:5ecret@docs.example.com/" }));
        const { log, output } = await preview.preview();
        assert.match(output, /domain must be a host name/);
        assert.doesNotMatch(output + log, /5ecret/);
    });

    it("escapes markup in names from the engine", async () => {
        const names = [
            "a|b`c <img src=x> @octo #1",
            "x\u202Ey",
            "\u001b[31mred",
            "two\nlines",
            "[a](https://evil.example)",
        ];
        // A version with control characters is refused.
        const versionOf = (name: string) => name.replaceAll("\n", "").replaceAll("\u001b", "");
        const rest = names
            .map(
                (name) =>
                    `new StaticExportBundle(${JSON.stringify(name)}, { domain: "a.example.com", version: ${JSON.stringify(versionOf(name))} });`,
            )
            .join("\n");
        await record("hostile", programOf({ rest }));
    });

    it("is identical for Pulumi's streaming JSON output", async () => {
        await preview.write(programOf({ bundle: 'version: "2"' }));
        const { log } = await preview.preview();
        const env = { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "1" };
        const { stdout } = await preview.stack.startOther("pulumi", ["preview", "--json", "--non-interactive"], env)
            .result;
        assert.equal(await markdownOf(stdout), await markdownOf(log));
    });

    it("cannot be generated from the output of pulumi preview --json", async () => {
        await preview.write(programOf());
        const { stdout } = await preview.stack.startOther("pulumi", ["preview", "--json", "--non-interactive"]).result;
        await assert.rejects(markdownOf(stdout), /output of `pulumi preview --json`, which omits every policy result/);
    });

    it("covers programs with components, reads, replacements that delete first, and protected resources", async () => {
        const things = (zone: string): string => `
            new Thing("moved", { size: 1, zone: "${zone}" });
            new Thing("kept", { size: 1 }, { retainOnDelete: true });
            new Thing("gone", { size: 1 }, { protect: true });`;
        await preview.edit((resources) => resources.splice(1));
        await preview.write(foreignProgram("1", things("a")));
        await preview.stack.up();
        const rest = `new Thing("moved", { size: 1, zone: "b" });
            new Thing("another", { size: 1 });
            new pulumi.StackReference("organization/e2e/dev");`;
        await record("foreign", foreignProgram("2", rest));
    });
});

describe("The preview report of a TypeScript program on the real engine", () => {
    let preview: PreviewStack;

    before(async () => {
        preview = await PreviewStack.create();
    });
    after(() => preview.remove());

    for (const [what, name, program] of [
        ["throws", "failed-program", 'throw new Error("no such page @octo");'],
        ["does not compile", "failed-compile", "const x: = 1;"],
    ] as const) {
        it(`names the cause if the program ${what}`, async () => {
            await preview.stack.writeTypeScript(program);
            await assertRecorded(name, (await preview.preview()).log);
        });
    }
});

describe("The preview report of a program with a mirror", () => {
    let preview: PreviewStack;
    let s3: S3Server;

    before(async () => {
        preview = await PreviewStack.create();
        s3 = await S3Server.start();
        await preview.edit((resources) => resources.splice(1));
        const { accessKeyId, secretAccessKey } = credentials;
        await preview.stack.configure({
            secret: {
                "static-export:mirrorAccessKeyId": accessKeyId,
                "static-export:mirrorSecretAccessKey": secretAccessKey,
            },
        });
        await preview.write(program("1"));
        await preview.stack.up();
    });
    after(async () => {
        await preview.remove();
        await s3.stop();
    });

    const program = (version: string): string => `import { BundleMirror } from "pulumi-static-export";
        import { BundleCheck } from "pulumi-static-export/site";
        const bundle = new StaticExportBundle("docs", { domain: "${domain}", version: "${version}" });
        new BundleMirror("docs", { jobId: bundle.jobId, bucket: "${bucket}", endpoint: "${s3.endpoint}" });
        new BundleCheck("docs", { jobId: bundle.jobId });`;

    it("reports the copy of a new export, and what happens to the old copy", async () => {
        await preview.write(program("2"));
        await assertRecorded("mirror", withStablePort((await preview.preview()).log));
    });

    it("reports a renewed link in one line although Pulumi shows the copy as replaced", async () => {
        await preview.changeExport({ expiresAt: "2026-11-01T00:00:00.000Z" });
        await preview.write(program("1"));
        const { log, output } = await preview.preview();
        assert.match(output, /BundleMirror docs replace/);
        await assertRecorded("mirror-renewal", withStablePort(log));
    });

    function withStablePort(log: string): string {
        return log.replaceAll(s3.endpoint, "http://127.0.0.1:7070");
    }
});
