import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { type EngineStack } from "../support/engine-stack.js";
import { createFork, redact, takeOver } from "./support/fork.js";
import { plan, SecretStack } from "./support/secret-stack.js";

const docs = "pulumi-nodejs:dynamic/static-export:StaticExportBundle::docs";
const docsRelease = "kubernetes:helm.sh/v3:Release::docs";
const site = "static-export:index:DocumentationSite$";
const [siteBundle, siteMirror, siteRelease] = [
    `${site}pulumi-nodejs:dynamic/static-export:StaticExportBundle::site`,
    `${site}pulumi-nodejs:dynamic/static-export:BundleMirror::site`,
    `${site}kubernetes:helm.sh/v3:Release::site`,
];

const expired = (state: string) =>
    state.replace(/("(?:expiresAt|urlRenewAt|urlExpiresAt)":")\d{4}/g, (_, name: string) => `${name}2020`);

/** The changes, and the operation of each resource that is not "same". */
const changes: Record<
    string,
    { state?: (state: string) => string; config?: Record<string, string>; expected: Record<string, string> }
> = {
    "nothing has changed": { expected: {} },
    "the version has changed": {
        config: { version: "2" },
        expected: { [docs]: "update", [docsRelease]: "update", [siteBundle]: "update", [siteRelease]: "update" },
    },
    "a domain has changed": {
        config: { domain: "new.example.com" },
        expected: { [docs]: "replace", [docsRelease]: "update" },
    },
    "the links have expired": {
        state: expired,
        expected: { [docs]: "update", [docsRelease]: "update", [siteMirror]: "update", [siteRelease]: "update" },
    },
};

describe("a preview from a redacted state", function () {
    this.timeout(600_000);
    let secret: SecretStack;
    let fork: EngineStack;

    before(async () => {
        [secret, fork] = await Promise.all([SecretStack.create(), createFork()]);
    });

    after(async () => {
        await fork?.remove();
        await secret?.remove();
    });

    for (const [what, { state, config = {}, expected }] of Object.entries(changes)) {
        it(`equals the preview with secrets when ${what}, without a key, kubeconfig or network`, async () => {
            await secret.reset(state);
            await takeOver(fork, await redact(secret));
            for (const stack of [secret.stack, fork]) {
                await stack.configure({ config });
            }
            const planned = await plan(fork);
            assert.deepEqual(planned, await plan(secret.stack));
            for (const [resource, operation] of Object.entries(expected)) {
                assert.equal(planned[resource]?.[0], operation, resource);
            }
            if (Object.keys(expected).length === 0) {
                await fork.succeed("preview", "--expect-no-changes");
            }
            for (const [key, value] of Object.entries({ version: "1", domain: "docs.example.com" })) {
                await secret.stack.configure({ config: { [key]: value } });
            }
        });
    }

    it("fails without the passphrase if the format of a secret is unknown, and names the secret", async () => {
        await secret.reset();
        await assert.rejects(redact(secret, {}), /Release docs: values\.podAnnotations is encrypted, and its format/);
    });

    it("contains no secret, no encrypted secret, and no salt of the stack", async () => {
        await secret.reset();
        const ciphertexts = await secret.ciphertexts();
        assert.ok(secret.secrets.length >= 7 && ciphertexts.length > 20);
        for (const [file, text] of Object.entries(await redact(secret))) {
            for (const each of [...secret.secrets, ...ciphertexts]) {
                assert.ok(!text.includes(each), `${file} holds ${each}`);
            }
        }
        // The placeholders can be decrypted, so the decrypted placeholders must meet the same condition.
        const { stdout } = await fork.succeed("stack", "export", "--show-secrets");
        const settings = (await fork.succeed("config", "--show-secrets", "--json")).stdout;
        for (const each of secret.secrets) {
            assert.ok(!(stdout + settings).includes(each), `a placeholder holds ${each}`);
        }
    });

    it("makes no request even if the network is available", async () => {
        let connections = 0;
        const server = createServer((socket) => {
            connections += 1;
            socket.destroy();
        }).listen(0, "127.0.0.1");
        await once(server, "listening");
        const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        // All other requests also go to this server; Pulumi's own processes communicate over loopback.
        const proxies = { HTTP_PROXY: address, HTTPS_PROXY: address, NO_PROXY: "127.0.0.1,localhost" };
        const online = await createFork({ network: true, env: { ...proxies, AWS_ENDPOINT_URL: address } });
        try {
            await secret.reset();
            await takeOver(online, await redact(secret));
            for (const key of ["static-export:baseUrl", "endpoint"]) {
                await online.configure({ config: { [key]: address } });
            }
            await online.configure({ config: { version: "2" } });
            const planned = await plan(online);
            assert.equal(planned[docs]?.[0], "update");
            assert.equal(connections, 0);
        } finally {
            await online.remove();
            server.close();
        }
    });
});
