import assert from "node:assert/strict";
import { site } from "../../charts/support/archives.js";
import { BundleServer } from "../../charts/support/bundle-server.js";
import { FetchPod } from "../../charts/support/fetch-pod.js";
import { privateCertificate } from "../../charts/support/private-certificate.js";

describe("The pods' program over TLS", function () {
    this.timeout(60_000);
    let server: BundleServer;
    let pod: FetchPod;
    let authority: string;

    beforeEach(async () => {
        pod = await FetchPod.create();
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
        pod.environment.NODE_EXTRA_CA_CERTS = authority;
        assert.equal((await pod.runProgram()).exitCode, 0);
    });

    it("follows a redirect from http to https, without a key", async () => {
        server.serve(await site());
        const plain = await BundleServer.start();
        plain.answer = (_request, response) => response.writeHead(302, { location: server.link("/stored") }).end();
        await pod.writeSecret(plain.link());
        pod.environment.NODE_EXTRA_CA_CERTS = authority;
        const { exitCode, message } = await pod.runProgram();
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
        pod.environment.NODE_EXTRA_CA_CERTS = authority;
        const { exitCode, message } = await pod.runProgram();
        plain.stop();
        assert.equal(exitCode, 1);
        assert.match(message, /redirects to another scheme/);
        assert.equal(plain.requests.length, 0);
    });
});
