import assert from "node:assert/strict";
import { site } from "../support/archives.js";
import { BundleServer } from "../support/bundle-server.js";
import { FetchPod } from "../support/fetch-pod.js";
import { privateCertificate } from "../support/private-certificate.js";

describe("documentation-site: the fetch script over TLS", function () {
    this.timeout(60_000);
    let server: BundleServer;
    let pod: FetchPod;
    let authority: string;

    beforeEach(async () => {
        pod = await FetchPod.create({ name: "curl", downloader: "curl" });
        const certificate = await privateCertificate(pod.path("secret"));
        authority = certificate.file;
        server = await BundleServer.start(certificate);
        await pod.writeSecret(server.link());
        pod.environment.ATTEMPTS = "1";
    });
    afterEach(async () => {
        server.stop();
        await pod.remove();
    });

    it("trusts only a configured private certificate authority", async () => {
        server.serve(await site());
        const { exitCode, message } = await pod.run();
        assert.equal(exitCode, 1);
        assert.match(message, /is not trusted.*fetch\.certificateAuthority/);
        assert.equal(server.requests.length, 0);
        pod.environment.CA_FILE = authority;
        assert.equal((await pod.run()).exitCode, 0);
    });

    it("follows a redirect from http to https, without a key", async () => {
        server.serve(await site());
        const plain = await BundleServer.start();
        plain.answer = (_request, response) => response.writeHead(302, { location: server.link("/stored") }).end();
        await pod.writeSecret(plain.link());
        pod.environment.CA_FILE = authority;
        const { exitCode, message } = await pod.run();
        plain.stop();
        assert.equal(exitCode, 0, message);
        assert.deepEqual(
            server.requests.map(({ path: asked, headers }) => [asked, headers.authorization]),
            [["/stored?signature=s3cr3t", undefined]],
        );
    });

    it("does not follow a redirect from https to http", async () => {
        const plain = await BundleServer.start();
        plain.serve(await site());
        server.answer = (_request, response) => response.writeHead(302, { location: plain.link() }).end();
        pod.environment.CA_FILE = authority;
        const { exitCode, message } = await pod.run();
        plain.stop();
        assert.equal(exitCode, 1);
        assert.match(message, /HTTP 302/);
        assert.equal(plain.requests.length, 0);
    });

    it("downloads only bundles with a digest if wget does not verify certificates", async () => {
        const careless = await FetchPod.create({ name: "wget", downloader: "wget" });
        await careless.writeSecret(server.link());
        const { exitCode, message } = await careless.run();
        await careless.remove();
        assert.equal(exitCode, 1);
        assert.match(message, /no curl.*staticExport\.sha256/);
        assert.equal(server.requests.length, 0);
    });
});
