import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandError, run } from "@pulumi-static-export/toolchain";
import { publishNpm } from "../../../../dev/release/publish/publish.js";

describe("the publication of an npm package", function () {
    this.timeout(60_000);
    let folder: string;
    let server: Server;
    let status: number;
    let published: string[];

    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-npm-"));
        await mkdir(join(folder, "npm"));
        await writeFile(join(folder, "package.json"), '{ "name": "tiny", "version": "1.0.0" }');
        await run("npm", ["pack", folder, "--pack-destination", join(folder, "npm")]);
        published = [];
        server = createServer((request, response) => {
            request.resume();
            if (request.method === "PUT") {
                published.push(request.url ?? "");
            }
            response.writeHead(request.method === "PUT" ? 200 : status, { "content-type": "application/json" });
            response.end("{}");
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    });

    afterEach(async () => {
        server.closeAllConnections();
        server.close();
        await rm(folder, { recursive: true, force: true });
    });

    async function publishQuietly(): Promise<void> {
        const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
        const userconfig = join(folder, "npmrc");
        await writeFile(userconfig, `registry=http://${host}/\n//${host}/:_authToken=anybody\nfetch-retries=0\n`);
        // As in a program that `npm run -s` starts.
        await publishNpm(folder, [], { env: { npm_config_loglevel: "silent", npm_config_userconfig: userconfig } });
    }

    it("publishes a package that the registry does not have, even if npm writes no errors", async () => {
        status = 404;
        await publishQuietly();
        assert.deepEqual(published, ["/tiny"]);
    });

    it("publishes nothing while the registry answers with another error", async () => {
        status = 403;
        await assert.rejects(publishQuietly(), CommandError);
        assert.deepEqual(published, []);
    });
});
