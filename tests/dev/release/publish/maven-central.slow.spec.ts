import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publishMaven } from "../../../../dev/release/publish/maven-central.js";
import { createSigningKey } from "../../../../dev/release/rehearsal/registries.js";

describe("publishing the package for Java", function () {
    this.timeout(60_000);
    let work: string;
    let signingKey: Awaited<ReturnType<typeof createSigningKey>>;
    let server: Server;
    /** The portal's responses about the upload's state, in order. */
    let states: object[];
    let requests: string[];
    const { log } = console;

    before(async () => {
        work = await mkdtemp(join(tmpdir(), "static-export-maven-"));
        signingKey = await createSigningKey(join(work, "gnupg"));
        const place = join(work, "maven", "io", "github", "tinyowner", "static-export", "1.0.0");
        await mkdir(place, { recursive: true });
        await writeFile(join(place, "static-export-1.0.0.jar"), "classes");
        await writeFile(join(place, "static-export-1.0.0.jar.sha1"), "digest");
        server = createServer((request, response) => {
            requests.push(`${request.method} ${request.url} ${request.headers.authorization ?? ""}`.trim());
            if (request.method === "GET") {
                response.writeHead(404).end();
                return;
            }
            const isUpload = request.url?.includes("/upload") === true;
            request.resume().on("end", () => response.end(isUpload ? "id-1" : JSON.stringify(states.shift())));
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    });
    after(async () => {
        await signingKey.stop();
        await new Promise((resolve) => server.close(resolve));
        await rm(work, { recursive: true });
    });
    beforeEach(() => {
        requests = [];
        console.log = () => undefined;
    });
    afterEach(() => {
        console.log = log;
    });

    const publish = () => {
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        const central = { portal: url, repository: url, token: "a:b", gnupgHome: signingKey.folder, pollMs: 0 };
        return publishMaven(work, "tiny-owner", "1.0.0", central);
    };

    it("waits until the portal has checked the upload", async () => {
        states = [{ deploymentState: "PENDING" }, { deploymentState: "VALIDATING" }, { deploymentState: "PUBLISHING" }];
        await publish();
        const api = "POST /api/v1/publisher";
        assert.deepEqual(requests, [
            "GET /io/github/tinyowner/static-export/1.0.0/static-export-1.0.0.jar.sha1",
            `${api}/upload?publishingType=AUTOMATIC&name=static-export-1.0.0 Bearer YTpi`,
            ...Array<string>(3).fill(`${api}/status?id=id-1 Bearer YTpi`),
        ]);
    });

    it("fails with the portal's reasons if the portal rejects the upload", async () => {
        states = [{ deploymentState: "FAILED", errors: { common: ["the namespace is not yours"] } }];
        await assert.rejects(
            publish(),
            /^Error: Maven Central rejected static-export-1\.0\.0: .*the namespace is not yours/,
        );
    });
});
