import assert from "node:assert/strict";
import { inspect } from "node:util";
import { AdminClient, type AdminClientOptions, InvalidSettingsError } from "@pulumi-static-export/sdk";
import { adminApiKey, rejectionOf } from "../support/client.js";
import { json, withServer } from "../support/http-server.js";

function create(options: Partial<AdminClientOptions>): AdminClient {
    const fetch = () => Promise.reject(new Error("no request was expected"));
    return new AdminClient({ baseUrl: "https://api.example.com", adminApiKey, fetch, ...options });
}

function refusalOf(options: Partial<AdminClientOptions>): InvalidSettingsError {
    try {
        create(options);
    } catch (error) {
        assert.ok(error instanceof InvalidSettingsError, String(error));
        return error;
    }
    throw new Error("was expected to be refused");
}

describe("AdminClient, before any request, refuses a key", () => {
    for (const [what, key, message] of [
        ["is empty", "", /^adminApiKey must not be empty/],
        ["ends with a line break", "adm_5up3rs3cr3t\n", /^adminApiKey must not contain white space/],
        [
            "was copied with its header",
            "Bearer adm_5up3rs3cr3t",
            /^adminApiKey must be the key alone, without "Bearer"/,
        ],
        ["stands in quotes", '"adm_5up3rs3cr3t"', /^adminApiKey must be the key alone, without quotation marks/],
        ["stands in quotes of the shell", "'adm_5up3rs3cr3t'\n", /^adminApiKey must be the key alone, without quot/],
        ["has a space in it", "adm_5up3r s3cr3t", /^adminApiKey must not contain white space/],
        ["has characters that no header can carry", "adm_5up3rs3cr3t€", /^adminApiKey must contain printable ASCII/],
        ["begins with such a character", "€adm_5up3rs3cr3t", /^adminApiKey must contain printable ASCII/],
        ["lacks the configured prefix", "usr_5up3rs3cr3t", /^adminApiKey must begin with "adm_"/],
        ["has nothing after the prefix", "adm_", /^adminApiKey must have a secret part/],
    ] as const) {
        it(`that ${what}`, () => {
            const error = refusalOf({ adminApiKey: key, adminKeyPrefix: "adm_" });
            assert.match(error.message, message);
            assert.equal(error.setting, "adminApiKey");
            assert.doesNotMatch(inspect(error), /5up3r|s3cr3t/);
        });
    }

    it("that is missing in an untyped program", () => {
        assert.match(
            refusalOf({ adminApiKey: undefined as unknown as string }).message,
            /^adminApiKey must not be empty/,
        );
        assert.match(refusalOf({ baseUrl: undefined as unknown as string }).message, /^baseUrl must not be empty/);
    });

    it("unless the key has the configured prefix, or no prefix is configured", () => {
        assert.ok(create({ adminKeyPrefix: "adm_" }));
        assert.ok(create({ adminApiKey: "anything" }));
    });

    it("unless quotation marks are only a part of the key", () => {
        for (const key of [`a"b"`, `"a"b`, "a'b'c"]) {
            assert.ok(create({ adminApiKey: key }));
        }
    });

    it("that contains a header, because of its white space", () => {
        assert.match(refusalOf({ adminApiKey: "key: Bearer adm_1" }).message, /must not contain white space/);
    });
});

describe("AdminClient", () => {
    it("shows its address, and not its key", () => {
        const client = create({ adminApiKey: "adm_5up3rs3cr3t" });
        assert.equal(JSON.stringify({ client }), '{"client":{"baseUrl":"https://api.example.com"}}');
        assert.equal(client.toString(), "AdminClient of https://api.example.com");
        assert.equal(inspect(client, { showHidden: true }), "AdminClient { baseUrl: 'https://api.example.com' }");
    });

    it("closes its connections when it is closed", async () => {
        await withServer([json(200, { jobId: "se_42", status: "queued" })], async ({ baseUrl, connections }) => {
            const client = new AdminClient({ baseUrl, adminApiKey });
            await client.staticExports.get("se_42");
            await client.staticExports.get("se_42");
            assert.equal(connections(), 1);
            client.close();
            await client.staticExports.get("se_42");
            assert.equal(connections(), 2);
            client.close();
        });
    });
});

describe("AdminClient refuses options that would wait forever or loop without pause,", () => {
    for (const [setting, options] of [
        ["requestTimeoutMs", { requestTimeoutMs: NaN }],
        ["requestTimeoutMs", { requestTimeoutMs: 0 }],
        ["retry.maxAttempts", { retry: { maxAttempts: 0 } }],
        ["retry.baseMs", { retry: { baseMs: -1 } }],
        ["retry.capMs", { retry: { capMs: Infinity } }],
    ] as const) {
        it(`such as ${inspect(options)}`, () => {
            assert.equal(refusalOf(options).setting, setting);
        });
    }

    for (const options of [{ timeoutMs: NaN }, { timeoutMs: -1 }, { deadlineMs: NaN }, { timeoutMs: Infinity }]) {
        it(`such as ${inspect(options)} for a wait, before sending a request`, async () => {
            const error = await rejectionOf(create({}).staticExports.pollUntilDone("se_42", options));
            assert.ok(error instanceof InvalidSettingsError, inspect(error));
        });
    }
});

describe("AdminClient refuses a base address", () => {
    for (const [what, baseUrl, message] of [
        ["that is empty", "", /must not be empty/],
        ["without a scheme", "api.example.com", /must be an address such as https:.*, with https:/],
        ["of this machine without a scheme", "localhost:8080", /must be an address such as http:.*, with http:/],
        [
            "of this machine by number without a scheme",
            "127.0.0.1:8080",
            /must be an address such as http:.*, with http:/,
        ],
        ["of a similar name without a scheme", "my-localhost:8080", /must be an address such as https:.*, with https:/],
        ["with a space before it", " https://api.example.com", /must be an address such as https:/],
        ["with a scheme alone", "https://", /must be an address such as https:/],
        ["of a scheme with a digit", "h2://api.example.com", /must begin with https:\/\/, got h2:/],
        ["of another scheme", "ftp://api.example.com", /must begin with https:\/\/, got ftp:/],
        ["of http: outside of loopback", "http://api.example.com", /would send the admin API key unencrypted/],
        ["of http: on a name that only looks like loopback", "http://127.0.0.1.example.com", /unencrypted/],
        ["of http: on a name that ends with localhost", "http://not-localhost", /unencrypted/],
        ["of http: on a name that begins with localhost", "http://localhost.example.com", /unencrypted/],
        ["of http: on a private address", "http://10.0.0.1", /unencrypted/],
        ["with credentials", "https://user:hunter2@api.example.com", /must not contain credentials/],
        ["with a user", "https://hunter2@api.example.com", /must not contain credentials/],
        ["with a password alone", "https://:hunter2@api.example.com", /must not contain credentials/],
        ["with a query", "https://api.example.com/?key=hunter2", /must not contain a query/],
        ["with an empty query", "https://api.example.com/?", /must not contain a query/],
        ["with a fragment", "https://api.example.com/#hunter2", /must not contain a query or a fragment/],
    ] as const) {
        it(what, () => {
            const error = refusalOf({ baseUrl });
            assert.match(error.message, message);
            assert.equal(error.setting, "baseUrl");
            assert.doesNotMatch(inspect(error), /hunter2/);
        });
    }

    for (const baseUrl of [
        "http://localhost:8080",
        "http://127.8.9.1",
        "http://127.10.20.30",
        "http://[::1]:8080",
        "https://10.0.0.1",
    ]) {
        it(`but accepts ${baseUrl}`, () => {
            assert.equal(create({ baseUrl }).baseUrl, baseUrl);
        });
    }

    for (const path of ["", "/", "/admin", "/admin/", "/admin//"]) {
        it(`but appends the API's paths to the path '${path}'`, async () => {
            await withServer([json(200, { status: "running" })], async ({ baseUrl, requests }) => {
                const client = new AdminClient({ baseUrl: `${baseUrl}${path}`, adminApiKey });
                await client.staticExports.get("se_42");
                const below = path.startsWith("/admin") ? "/admin" : "";
                assert.equal(requests[0]?.url, `${below}/v1/static-export/jobs/se_42`);
                client.close();
            });
        });
    }
});

describe("AdminClient keeps its key", () => {
    const client = create({});

    for (const [what, show] of [
        ["util.inspect", () => inspect(client)],
        ["util.inspect with hidden properties", () => inspect(client, { showHidden: true, depth: 20, getters: true })],
        ["util.inspect of its parts", () => inspect({ ...client }, { showHidden: true, depth: 20 })],
        ["String()", () => `${String(client)} ${client.toString()}`],
        ["JSON", () => JSON.stringify({ client, ...client })],
    ] as const) {
        it(`out of ${what}`, () => {
            assert.doesNotMatch(show(), /5up3rs3cr3t/);
        });
    }

    it("out of an error if the server echoes the key", async () => {
        const echo = `bad header Authorization: Bearer ${adminApiKey}`;
        await withServer([json(400, { error: echo })], async ({ baseUrl }) => {
            const error = await rejectionOf(new AdminClient({ baseUrl, adminApiKey }).staticExports.get("se_42"));
            assert.match(error.message, /bad header Authorization: Bearer \[secret\]/);
            assert.doesNotMatch(inspect(error, { showHidden: true, depth: 20 }), /5up3rs3cr3t/);
        });
    });

    it("out of an error if fetch quotes the request", async () => {
        const fetch = () => Promise.reject(new TypeError(`cannot send Bearer ${adminApiKey}`));
        const error = await rejectionOf(create({ fetch, retry: { maxAttempts: 1 } }).staticExports.get("se_42"));
        assert.doesNotMatch(inspect(error, { showHidden: true, depth: 20 }), /5up3rs3cr3t/);
    });

    it("but sends the key as a bearer token with every request", async () => {
        await withServer([json(200, { status: "running" })], async ({ baseUrl, requests }) => {
            await new AdminClient({ baseUrl, adminApiKey, userAgent: "spec/1" }).staticExports.get("se_42");
            assert.equal(requests[0]?.headers.authorization, `Bearer ${adminApiKey}`);
            assert.equal(requests[0]?.headers["user-agent"], "spec/1");
        });
    });
});
