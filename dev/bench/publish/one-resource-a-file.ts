import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { adminApiKey } from "../../../tests/e2e/support/platform.js";
import { EngineStack } from "../../../tests/e2e/support/engine-stack.js";
import { PlatformServer } from "../../../tests/provider/bundle-mirror/platform-server.js";
import { bucket, credentials, credentialVariables, S3Server } from "../../../tests/provider/bundle-mirror/s3-server.js";
import { changePage, writeSite } from "./written-site.js";

/**
 * Writes a file of a site to a bucket. The program loads this provider by its path, so that states do not contain its
 * code.
 */
const fileProvider = `const { readFileSync } = require("node:fs");
const { PutObjectCommand, S3Client } = require("@aws-sdk/client-s3");
let client;
exports.write = async ({ folder, path, endpoint }) => {
    client ??= new S3Client({ endpoint, forcePathStyle: true, region: "us-east-1" });
    const object = { Bucket: "${bucket}", Key: "files/" + path, Body: readFileSync(folder + "/" + path) };
    await client.send(new PutObjectCommand({ ...object, ContentType: "text/html; charset=utf-8" }));
};
`;

const program = `import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
const { folder, endpoint, provider } = new pulumi.Config().requireObject("site") as Record<string, string>;
// All files share this object: the SDK writes the text of each different object, which takes far longer than the
// upload.
const methods: pulumi.dynamic.ResourceProvider = {
    create: async (inputs) => {
        await require(provider).write(inputs);
        return { id: inputs.path, outs: inputs };
    },
    diff: async (_id, olds, news) => ({ changes: olds.sha256 !== news.sha256 }),
    update: async (_id, _olds, news) => {
        await require(provider).write(news);
        return { outs: news };
    },
};
class File extends pulumi.dynamic.Resource {
    constructor(path: string) {
        const sha256 = createHash("sha256").update(readFileSync(folder + "/" + path)).digest("hex");
        super(methods, path, { folder, path, endpoint, sha256 });
    }
}
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) {
        new File((entry.parentPath + "/" + entry.name).slice(folder.length + 1));
    }
}
`;

interface Measured {
    readonly firstSeconds: number;
    readonly unchangedSeconds: number;
    readonly changedSeconds: number;
    readonly stateBytes: number;
}

/** Publishes the same site on the real engine: as one resource for each file, and as one BucketSite. */
export async function compareWithOneResourceAFile(folder: string, files: number): Promise<void> {
    const site = join(folder, "resources");
    await writeSite(site, files);
    const storage = await S3Server.start();
    try {
        console.log("| files | what | first update | no change | one page changed | state |");
        console.log("| ---: | --- | ---: | ---: | ---: | ---: |");
        printRow(files, "one BucketSite", await measureBucketSite(site, storage));
        printRow(files, "one resource for each file", await measureResources(site, storage));
    } finally {
        await storage.stop();
    }
}

async function measureResources(folder: string, { endpoint }: S3Server): Promise<Measured> {
    const stack = await EngineStack.create({ program, env: credentialVariables });
    try {
        const provider = join(stack.folder, "file-provider.cjs");
        await stack.writeFiles({ "file-provider.cjs": fileProvider });
        await stack.configure({ config: { "e2e:site": JSON.stringify({ folder, endpoint, provider }) } });
        return await measure(stack, () => changePage(folder, 1));
    } finally {
        await stack.remove();
    }
}

async function measureBucketSite(folder: string, { endpoint }: S3Server): Promise<Measured> {
    const platform = await PlatformServer.start();
    platform.archive = (_request, response) =>
        response.end(execFileSync("tar", ["-cz", "-C", folder, "."], tarOptions));
    const declare = (jobId: string) =>
        `import { BucketSite } from "pulumi-static-export";
        new BucketSite("docs", ${JSON.stringify({ jobId, bucket, endpoint, prefix: "site/" })});`;
    const stack = await EngineStack.create({
        program: declare("se_1"),
        config: { "static-export:baseUrl": platform.url },
        secret: {
            "static-export:adminApiKey": adminApiKey,
            "static-export:mirrorAccessKeyId": credentials.accessKeyId,
            "static-export:mirrorSecretAccessKey": credentials.secretAccessKey,
        },
    });
    try {
        return await measure(stack, async () => {
            await changePage(folder, 2);
            await stack.writeProgram(declare("se_2"));
        });
    } finally {
        await stack.remove();
        platform.stop();
    }
}

const tarOptions = { maxBuffer: 1024 ** 3 };

async function measure(stack: EngineStack, change: () => Promise<void>): Promise<Measured> {
    const firstSeconds = await secondsOf(() => stack.up());
    const unchangedSeconds = await secondsOf(() => stack.up("--expect-no-changes"));
    await change();
    const changedSeconds = await secondsOf(() => stack.up());
    const { stdout } = await stack.succeed("stack", "export");
    // Excludes the text of a dynamic provider, because the states of a plugin's resources do not contain it.
    const withoutProvider = (key: string, value: unknown) => (key === "__provider" ? undefined : value);
    const state = JSON.stringify(JSON.parse(stdout, withoutProvider), null, 4);
    return { firstSeconds, unchangedSeconds, changedSeconds, stateBytes: Buffer.byteLength(state) };
}

async function secondsOf(act: () => Promise<unknown>): Promise<number> {
    const startedMs = performance.now();
    await act();
    return (performance.now() - startedMs) / 1000;
}

function printRow(files: number, what: string, figures: Measured): void {
    const seconds = [figures.firstSeconds, figures.unchangedSeconds, figures.changedSeconds].map(
        (each) => `${each.toFixed(1)} s`,
    );
    const state = `${(figures.stateBytes / 1000).toFixed(0)} kB`;
    console.log(`| ${[String(files), what, ...seconds, state].join(" | ")} |`);
}
