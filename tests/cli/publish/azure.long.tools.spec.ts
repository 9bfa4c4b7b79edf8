import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { privateCertificate } from "../../charts/support/private-certificate.js";
import { writeFiles } from "../../exporter/support/site-fixture.js";
import { accountKey, AzuriteServer } from "../../sdk/publish/support/azurite-server.js";
import { Command, type Outcome } from "../support/command.js";

describe("static-export publish to Azure", function () {
    // The first run installs Azurite.
    this.timeout(600_000);
    let folder: string;
    let server: AzuriteServer | undefined;

    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-spec-"));
        await writeFiles(folder, { "site/index.html": "<h1>Home</h1>", "site/guide/intro.html": "<h1>Intro</h1>" });
    });
    afterEach(async () => {
        await server?.stop();
        await rm(folder, { recursive: true, force: true });
    });

    const publish = (args: string[], env: Record<string, string>): Promise<Outcome> =>
        new Command(["publish", "site", "--to", "az://$web/docs", ...args], { cwd: folder, env }).exited;

    it("reads the account's key from the environment, and never prints it", async () => {
        server = await AzuriteServer.start();
        const place = ["--bucket-endpoint", server.endpoint];
        const { exitCode, stdout, stderr } = await publish(place, { AZURE_STORAGE_KEY: accountKey });
        assert.equal(exitCode, 0, stderr);
        assert.match(
            stdout,
            /^published az:\/\/\$web\/docs\/\nfiles {5}2: 2 sent \(27 bytes\), 0 copied there, 0 removed\nlive /,
        );
        assert.equal(await server.read("docs/guide/intro.html"), "<h1>Intro</h1>");
        const sasToken = "sv=2024-01-01&sr=c&sig=s3cr3t";
        const refused = await publish([...place, "--owner", "b"], { AZURE_STORAGE_SAS_TOKEN: sasToken });
        assert.equal(refused.exitCode, 1);
        assert.match(refused.stderr, /az:\/\/\$web\/docs\/: Get Blob failed \(\w+, HTTP 403/);
        assert.ok(!(refused.stderr + refused.stdout + stderr + stdout).match(/s3cr3t|sig=/));
    });

    it("reports a missing account, and a container name that the shell expanded", async () => {
        const nobody = await publish([], { AZURE_STORAGE_KEY: accountKey });
        assert.deepEqual([nobody.exitCode, /AZURE_STORAGE_ACCOUNT/.test(nobody.stderr)], [2, true]);
        const replaced = await publish(["--to", "az:///docs"], {});
        assert.equal(replaced.exitCode, 2);
        assert.match(replaced.stderr, /names no container: .*'az:\/\/\$web' in single quotes/);
    });

    it("uses the machine's identity if there is no key", async () => {
        const certificate = await privateCertificate(folder);
        const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
        const now = Math.floor(Date.now() / 1000);
        const issuer = "https://sts.windows.net/8d3d2f7e-0000-4000-8000-000000000000/";
        const claims = { aud: "https://storage.azure.com", iss: issuer, iat: now, nbf: now, exp: now + 3600 };
        const token = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}.c2lnbmF0dXJl`;
        // Serves tokens as Azure App Service does.
        let asked = 0;
        const identity = createServer((request, response) => {
            asked += request.headers["x-identity-header"] === "machine" ? 1 : 0;
            const expires = { expires_on: String(now + 3600), token_type: "Bearer" };
            response.setHeader("content-type", "application/json");
            response.end(JSON.stringify({ access_token: token, resource: "https://storage.azure.com/", ...expires }));
        }).listen(0, "127.0.0.1");
        try {
            server = await AzuriteServer.start(
                "--oauth",
                "basic",
                "--cert",
                certificate.file,
                "--key",
                certificate.keyFile,
            );
            const { exitCode, stderr } = await publish(["--bucket-endpoint", server.endpoint], {
                NODE_EXTRA_CA_CERTS: certificate.file,
                IDENTITY_ENDPOINT: `http://127.0.0.1:${(identity.address() as AddressInfo).port}/token`,
                IDENTITY_HEADER: "machine",
                AZURE_TOKEN_CREDENTIALS: "ManagedIdentityCredential",
            });
            assert.equal(exitCode, 0, stderr);
            assert.ok(asked > 0, "the identity was used");
            assert.equal(await server.read("docs/index.html"), "<h1>Home</h1>");
        } finally {
            identity.close();
        }
    });
});
