import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { DeploymentFolder } from "../../../dev/quickstart/src/local/deployment-folder.js";
import { LocalDeployment, type LocalDeploymentOptions } from "../../../dev/quickstart/src/local/local-deployment.js";

/** Packs these files into a bundle. */
async function archiveOf(files: Record<string, string>): Promise<Buffer> {
    const tar = pack();
    for (const [name, content] of Object.entries(files)) {
        tar.entry({ name }, content);
    }
    tar.finalize();
    const chunks: Buffer[] = [];
    for await (const chunk of tar) {
        chunks.push(chunk);
    }
    return gzipSync(Buffer.concat(chunks));
}

describe("the deployment on this machine", () => {
    let folder: string;
    let storage: Server;
    let storageAddress: string;
    let deployment: LocalDeployment;
    const archives = new Map<string, Buffer>();
    const fetched: { path: string; authorization: string | undefined }[] = [];
    const lines: string[] = [];

    const stop = new AbortController();
    const newDeployment = (options: Partial<LocalDeploymentOptions> = {}) =>
        new LocalDeployment({ folder, port: 0, print: (line) => lines.push(line), signal: stop.signal, ...options });
    const isRunning = () => Promise.resolve(true);
    const values = (name: string, version: string, signature = "s") => ({
        enabled: true,
        bundleUrl: `${storageAddress}/${name}?signature=${signature}`,
        version,
    });
    const get = async (path: string) => {
        const response = await fetch(new URL(path, deployment.address));
        return { status: response.status, text: await response.text() };
    };

    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-deployment-"));
        fetched.length = 0;
        lines.length = 0;
        archives.set(
            "/one",
            await archiveOf({ "index.html": "one", "guides/start.html": "start", "404.html": "lost" }),
        );
        archives.set("/two", await archiveOf({ "index.html": "two" }));
        storage = createServer((request, response) => {
            const { pathname } = new URL(request.url!, "http://storage");
            fetched.push({ path: pathname, authorization: request.headers.authorization });
            const archive = archives.get(pathname);
            response.writeHead(archive ? 200 : 403).end(archive);
        }).listen(0, "127.0.0.1");
        await once(storage, "listening");
        storageAddress = `http://127.0.0.1:${(storage.address() as AddressInfo).port}`;
        deployment = newDeployment();
        await deployment.start();
    });

    afterEach(async () => {
        await deployment.stop();
        storage.close();
        await rm(folder, { recursive: true });
    });

    it("downloads the bundle without an Authorization header and serves it", async () => {
        await deployment.apply(values("one", "1"));
        assert.deepEqual(fetched, [{ path: "/one", authorization: undefined }]);
        assert.deepEqual(await get("/"), { status: 200, text: "one" });
    });

    it("replaces the live site when new values are applied, and removes the old site", async () => {
        await deployment.apply(values("one", "1"));
        await deployment.apply(values("two", "2"));
        assert.equal((await get("/")).text, "two");
        assert.equal((await readdir(join(folder, "sites"))).length, 1);
    });

    it("downloads nothing if only the link of the same export is renewed", async () => {
        await deployment.apply(values("one", "1", "first"));
        await deployment.apply(values("one", "1", "renewed"));
        assert.equal(fetched.length, 1);
    });

    it("keeps serving the old site if the new bundle cannot be downloaded", async () => {
        await deployment.apply(values("one", "1"));
        await assert.rejects(deployment.apply(values("expired", "2")), /403/);
        assert.equal((await get("/")).text, "one");
    });

    it("serves its last site after a restart, even if the link has expired", async () => {
        await deployment.apply(values("one", "1"));
        await deployment.stop();
        archives.clear();
        deployment = newDeployment();
        await deployment.start();
        assert.equal((await get("/")).text, "one");
    });

    it("uses another port and reports it if its own port is in use", async () => {
        await deployment.stop();
        const { port } = storage.address() as AddressInfo;
        deployment = newDeployment({ port });
        await deployment.start();
        assert.notEqual(new URL(deployment.address).port, String(port));
        assert.deepEqual(lines, [`Port ${port} is taken by another program: the site gets another port.`]);
        assert.equal((await get("/")).status, 503);
    });

    it("reports to the caller when the site with the new values is live", async () => {
        await new DeploymentFolder(folder).handOver(values("one", "1"), { isRunning, signal: stop.signal });
        assert.equal((await get("/")).text, "one");
    });

    it("reports to the caller why new values were not applied", async () => {
        const handedOver = new DeploymentFolder(folder).handOver(values("expired", "2"), {
            isRunning,
            signal: stop.signal,
        });
        await assert.rejects(handedOver, (error: Error) => {
            assert.match(error.message, /^The new values were not applied, and the old site stays live: .*403/);
            assert.doesNotMatch(error.message, /signature=s/);
            return true;
        });
    });

    it("does not leave a caller waiting after it has stopped", async () => {
        await deployment.stop();
        const handedOver = new DeploymentFolder(folder).handOver(values("one", "1"), {
            isRunning: () => Promise.resolve(false),
            signal: stop.signal,
        });
        await assert.rejects(handedOver, /has ended: run this again/);
        deployment = newDeployment();
        await deployment.start();
    });

    it("stores the link in a file that only its owner can read", async () => {
        await deployment.apply(values("one", "1"));
        assert.equal((await stat(join(folder, "values.json"))).mode & 0o777, 0o600);
    });

    it("does not change the site while the export is disabled", async () => {
        await deployment.apply({ ...values("one", "1"), enabled: false });
        assert.equal((await get("/")).status, 503);
    });
});
