import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { run, withFolder, withServe } from "./support/command.js";
import { call, completes, generatedKey, jobs, start } from "./support/jobs.js";

const api = {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: { "/pets": { get: { summary: "List pets", responses: { "200": { description: "OK" } } } } },
};
const config = { navigation: { groups: [{ group: "Start", pages: ["index", "pets"] }] } };

/** Returns the files of the bundle that `static-export serve` creates with these options. */
async function bundleFiles(options: string[]): Promise<Map<string, string>> {
    const files = new Map<string, string>();
    await withFolder(async (folder) => {
        await writeFile(join(folder, "docs", "openapi.json"), JSON.stringify(api));
        await writeFile(join(folder, "docs", "docs.json"), JSON.stringify(config));
        await writeFile(join(folder, "docs", "pets.md"), "---\nopenapi: openapi.json GET /pets\n---\n");
        await writeFile(join(folder, "docs", "secret.md"), "---\ngroups: [admin]\n---\n");
        await withServe(folder, options, async ({ url }) => {
            const key = await generatedKey(folder);
            const jobId = await start({ url }, key);
            await completes(url, key, jobId);
            const { bundleUrl } = await call(url, key, "POST", `${jobs}/${String(jobId)}/bundle`);
            const unpacked = createGunzip();
            unpacked.end(Buffer.from(await (await fetch(String(bundleUrl))).arrayBuffer()));
            for await (const entry of unpacked.pipe(extract())) {
                files.set(entry.header.name, await text(entry));
            }
        });
    });
    return files;
}

interface Features {
    search: boolean;
    tryIt: boolean;
}

async function featuresWith(...options: string[]): Promise<Features> {
    const files = await bundleFiles(options);
    const operation = files.get("pets.html") ?? "";
    assert.match(operation, /List pets/);
    const scripts = [...files.keys()].filter((file) => file.endsWith(".js"));
    const has = (name: string) => scripts.some((file) => file.startsWith(`static-export/${name}.`));
    const features = { search: has("search"), tryIt: has("try-it") };
    // A page contains a control if, and only if, the site contains the control's script.
    assert.equal(/class="try-it"/.test(operation), features.tryIt);
    assert.equal(/class="search-open"/.test(operation), features.search);
    return features;
}

describe("static-export serve --deployment", function () {
    // Starting threads and processes takes seconds while other specs run.
    this.timeout(60_000);

    it("enables search and Try it for client-hosted, which is the default", async () => {
        assert.deepEqual(await featuresWith(), { search: true, tryIt: true });
    });

    it("leaves out search and Try it for air-gapped", async () => {
        assert.deepEqual(await featuresWith("--deployment", "air-gapped"), { search: false, tryIt: false });
    });

    it("lists the valid types if the type is unknown", async () => {
        await withFolder(async (folder) => {
            const site = ["serve", "--site", "docs.example.com=docs", "--port", "0"];
            const { exitCode, stderr } = await run(folder, [...site, "--deployment", "airgapped"]);
            assert.equal(exitCode, 2);
            assert.match(stderr, /'airgapped' is invalid\. Allowed choices are cloud, client-hosted, air-gapped\./);
        });
    });
});

describe("static-export serve --publish-groups", function () {
    this.timeout(60_000);

    it("exports restricted pages, which serve omits by default", async () => {
        assert.ok((await bundleFiles(["--publish-groups"])).has("secret.html"));
        assert.ok(!(await bundleFiles([])).has("secret.html"));
    });
});
