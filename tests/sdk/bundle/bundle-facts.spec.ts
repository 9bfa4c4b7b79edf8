import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readBundleFacts } from "@pulumi-static-export/sdk/internal";
import { withFolder } from "../../exporter/support/site-fixture.js";

const facts = {
    version: 1,
    domain: "docs.example.com",
    basePath: "",
    deployment: "client-hosted",
    pages: 3,
    privatePages: 0,
    features: { documentationSearch: true, aiAssistant: false, webAnalytics: false, apiPlayground: false },
    services: [],
    apiServers: [],
    aiTools: [],
    embeds: [],
};

/** Reads the facts of a bundle whose file of facts has this text. */
function read(text: string, change: (file: string) => unknown = () => undefined): Promise<unknown> {
    return withFolder(async (folder) => {
        await mkdir(join(folder, "static-export"));
        const file = join(folder, "static-export/bundle.json");
        await writeFile(file, text);
        await change(file);
        return readBundleFacts(folder);
    });
}

describe("The facts of an unpacked bundle", () => {
    it("are read from its own file", async () => {
        assert.deepEqual(await read(JSON.stringify(facts)), facts);
    });

    it("may take up to a MiB", async () => {
        const text = JSON.stringify(facts);
        assert.deepEqual(await read(text.padEnd(1024 * 1024)), facts);
        assert.equal(await read(text.padEnd(1024 * 1024 + 1)), undefined);
    });

    it("are unknown for a bundle without them, or with other ones", async () => {
        assert.equal(await withFolder((folder) => readBundleFacts(folder)), undefined);
        assert.equal(await read(JSON.stringify({ ...facts, version: 2 })), undefined);
        assert.equal(await read("{"), undefined);
    });

    it("are not read through a link, which could lead out of the bundle", async () => {
        const linked = async (file: string) => {
            await rename(file, `${file}.other`);
            await symlink(`${file}.other`, file);
        };
        assert.equal(await read(JSON.stringify(facts), linked), undefined);
    });

    it("are not awaited from a pipe", async () => {
        const piped = async (file: string) => {
            await rename(file, `${file}.other`);
            execFileSync("mkfifo", [file]);
        };
        assert.equal(await read(JSON.stringify(facts), piped), undefined);
    });
});
