import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import {
    encrypted,
    marked,
    nested,
    passphraseProvider,
    redact,
    resource,
    secret,
    stateOf,
    urnOf,
} from "./support/stack-states.js";

const link = "https://bundles.example.com/se_1.tar.gz?expires=1795179600&signature=5ignature-of-the-link";
const key = "admin_0123456789abcdef";
const assetMark = "c44067f5952c0a294b673a41bacd8c17";
const archiveMark = "0def7320c3a5731c473e5ecbe6d01bc7";
const provider = "exports.handler = __f0; // the code of the provider";

const bundle = (fields: object = {}) =>
    resource("bundle", "docs", {
        id: "docs.example.com",
        inputs: { __provider: provider, domain: "docs.example.com", version: "1" },
        outputs: {
            ...{ __provider: provider, domain: "docs.example.com", version: "1", jobId: "se_1" },
            ...{ bundleUrl: secret(link), expiresAt: "2026-11-20T13:00:00.000Z" },
        },
        ...fields,
    });

const release = (bundleUrl: object) => {
    const inputs = { name: "docs", atomic: true, values: { staticExport: { enabled: true, version: "1", bundleUrl } } };
    const copy = { ...inputs, values: { staticExport: { enabled: true, version: "1", bundleUrl: nested(link) } } };
    return resource("release", "docs", {
        id: "docs/docs",
        inputs,
        outputs: { ...inputs, status: { revision: 3 }, __inputs: secret(copy) },
        propertyDependencies: { values: [urnOf("bundle", "docs")] },
    });
};

describe("a redacted state", () => {
    it("declares the provider of the throw-away passphrase, which encrypts its secrets", () => {
        const { state, configurationPlaceholders } = redact(stateOf([bundle()]));
        assert.deepEqual(state.deployment["secrets_providers"], {
            type: "passphrase",
            state: { salt: configurationPlaceholders.encryptionsalt },
        });
    });

    it("uses equal placeholders for equal secrets", () => {
        const [docs, helm] = redact(stateOf([bundle(), release(secret(link))])).resources;
        const placeholder: string = docs?.outputs?.["bundleUrl"] ?? "";
        assert.match(placeholder, /^https:\/\/redacted-\d+\.invalid\/\?expires=1795179600&signature=redacted-\d+$/);
        assert.deepEqual(helm?.inputs?.["values"], {
            staticExport: { enabled: true, version: "1", bundleUrl: placeholder },
        });
        assert.deepEqual(helm?.outputs?.["__inputs"], helm?.inputs);
    });

    it("also contains placeholders for secrets that the stack's passphrase decrypts", () => {
        const state = stateOf([bundle({ outputs: { bundleUrl: encrypted(link) } })], passphraseProvider);
        const [docs] = redact(state, { passphrase: "of the stack" }).resources;
        assert.match(docs?.outputs?.["bundleUrl"] ?? "", /^https:\/\/redacted-1\.invalid\/\?expires=1795179600/);
    });

    it("preserves everything except secrets: inputs, the provider's code, identifiers and dependencies", () => {
        const before = bundle();
        const [after] = redact(stateOf([before])).resources;
        const { outputs, ...rest } = after ?? {};
        const { outputs: outputsBefore, ...restBefore } = before;
        assert.deepEqual(rest, restBefore);
        assert.deepEqual({ ...outputs, bundleUrl: undefined }, { ...(outputsBefore as object), bundleUrl: undefined });
    });

    it("preserves a link's expiry, even if a program marked the expiry as a secret", () => {
        const outputs = { expiresAt: secret("2026-11-20T13:00:00.000Z"), clockSkewMs: secret(120) };
        const [docs] = redact(stateOf([bundle({ outputs })])).resources;
        assert.deepEqual(docs?.outputs, { expiresAt: "2026-11-20T13:00:00.000Z", clockSkewMs: 120 });
    });

    it("contains no secrets of an interrupted operation, and no errors of resources", () => {
        const { state } = redact(
            stateOf([bundle({ initErrors: [`${link} did not answer`] })], {
                pending_operations: [{ resource: bundle(), type: "updating" }],
                metadata: { integrity_error: { env_vars: { STATIC_EXPORT_ADMIN_API_KEY: key } } },
            }),
        );
        assert.doesNotMatch(JSON.stringify(state), /5ignature|did not answer|admin_/);
        const { resources, pending_operations: operations } = state.deployment as Record<string, never[]>;
        assert.deepEqual((resources?.[0] as unknown as { initErrors: string[] }).initErrors, ["redacted"]);
        assert.equal(operations?.length, 1);
    });

    it("replaces plain copies of a secret, alone or within other text, with a placeholder", () => {
        const inputs = { note: `see ${link} for more` };
        const { resources } = redact(stateOf([bundle(), resource("stack", "docs-dev", { inputs })]));
        assert.equal(resources[1]?.inputs?.["note"], `see ${String(resources[0]?.outputs?.["bundleUrl"])} for more`);
    });

    for (const [what, inputs] of Object.entries({
        "a presigned link": { address: "https://b.example.com/x?X-Amz-Signature=5ignature-of-another" },
        "a key, told by its property": { "static-export:adminApiKey": "5ignature" },
        "a key, told by its format": { value: "5ignature ghp_0123456789abcdefghijklmnopqrstuvwxyz" },
        "a kubeconfig": { text: "kind: Config\nclusters: []\nusers:\n  - user: { token: 5ignature }\n" },
        "a private key": { text: "-----BEGIN PRIVATE KEY-----\n5ignature\n-----END PRIVATE KEY-----\n" },
    })) {
        it(`contains a placeholder for ${what} that was not marked as a secret`, () => {
            const { state, doubts } = redact(stateOf([resource("provider", "default", { inputs })]));
            assert.doesNotMatch(JSON.stringify(state), /5ignature|ghp_/);
            assert.equal(doubts.length, 1);
        });
    }

    describe("with a short secret that equals other values", () => {
        const inputs = { namespace: "default", enabled: true, password: secret("default"), on: secret(true) };
        const state = stateOf([resource("stack", "docs-dev", { inputs })]);
        const [password, on] = ["Stack docs-dev: password", "Stack docs-dev: on"];

        it("is refused, and the error names each equal value", () => {
            assert.throws(() => redact(state), {
                message: new RegExp(
                    `marked at "${password}" is short [^]*: Stack docs-dev: namespace\\. Pass --replace-copies-of ` +
                        `"${password}"[^]*marked at "${on}"[^]*: Stack docs-dev: enabled\\.`,
                ),
            });
        });

        it("preserves the equal values if configured", () => {
            const choices = { keepCopiesOf: [password, on], replaceCopiesOf: [] };
            const [docs] = redact(state, { choices }).resources;
            const redacted = { namespace: "default", enabled: true, password: "redacted-1", on: false };
            assert.deepEqual(docs?.inputs, redacted);
        });

        it("replaces the equal values with placeholders if configured", () => {
            const choices = { keepCopiesOf: [on], replaceCopiesOf: [password] };
            const [docs] = redact(state, { choices }).resources;
            assert.equal(docs?.inputs?.["namespace"], docs?.inputs?.["password"]);
        });
    });

    it("contains a placeholder for an output that the program declared secret, even if its input is plain", () => {
        const fields = {
            inputs: { phrase: "hunter2-of-plain", note: "plain" },
            outputs: { phrase: secret("hunter2-of-plain"), note: "plain", other: "hunter2-of-plain" },
            additionalSecretOutputs: ["phrase"],
        };
        const { state, resources, doubts } = redact(stateOf([resource("stack", "docs-dev", fields)]));
        assert.doesNotMatch(JSON.stringify([state, resources]), /hunter2/);
        assert.equal(resources[0]?.inputs?.["note"], "plain");
        assert.deepEqual(doubts, ["Stack docs-dev: phrase"]);
    });

    it("preserves plain inputs if the provider marked a whole list as secret because of one secret", () => {
        const env = (password: object | string) => [
            { name: "SIZE", value: "12345678" },
            { name: "PASSWORD", value: password },
        ];
        const fields = { inputs: { env: env(secret("hunter2")) }, outputs: { env: secret(env("hunter2")) } };
        const [docs] = redact(stateOf([resource("stack", "docs-dev", fields)])).resources;
        assert.deepEqual(docs?.inputs, { env: env("redacted-1") });
        assert.deepEqual(docs?.outputs, docs?.inputs);
    });

    it("preserves all property names in a provider's copy of the inputs", () => {
        const inputs = { values: { token: secret("t0ken-of-the-values"), password: "docs", note: "plain" } };
        const outputs = {
            ...inputs,
            __inputs: secret({ values: { ...inputs.values, token: nested("t0ken-of-the-values") } }),
        };
        const [docs] = redact(stateOf([resource("release", "docs", { inputs, outputs })])).resources;
        assert.deepEqual(Object.keys(docs?.inputs?.["values"] ?? {}), ["token", "password", "note"]);
        assert.deepEqual(docs?.outputs?.["__inputs"], docs?.inputs);
    });

    for (const [what, inputs, looksLike] of [
        ["a webhook", { url: "https://hooks.slack.com/services/T00/B00/5ecret" }, "url (a webhook)"],
        ["a connection string", { to: "Server=db;Uid=app;Pwd=5ecret;" }, "to (a connection string)"],
        ["the address of a database", { to: "postgres://app:5ecret@db/app" }, "to (a connection string)"],
        ["an environment variable", { env: [{ name: "DB_PASSWORD", value: "5ecret" }] }, "env[0].value (a key)"],
        ["a numeric password", { password: 71_534 }, "password (a key)"],
    ] as const) {
        it(`contains a placeholder for an unmarked ${what}, and names it`, () => {
            const { state, unmarked } = redact(stateOf([resource("stack", "docs-dev", { inputs })]));
            assert.doesNotMatch(JSON.stringify(state), /5ecret|71534/);
            assert.deepEqual(unmarked, [`Stack docs-dev: ${looksLike}`]);
        });
    }

    it("contains the placeholder's digest, as the program computes it, for a file whose text is a secret", () => {
        const text = "t0ken-of-the-file";
        const asset = (content: string) =>
            marked(assetMark, { text: content, hash: createHash("sha256").update(content).digest("hex") });
        const inputs = { hidden: secret(asset(text)), plain: asset(`token: ${text}`) };
        const [docs] = redact(stateOf([resource("stack", "docs-dev", { inputs })])).resources;
        assert.deepEqual(docs?.inputs, { hidden: asset("redacted-1"), plain: asset("token: redacted-1") });
    });

    it("names exactly the secrets whose origin is unknown", () => {
        const config = "config:\n  docs:token: { secure: x }\n";
        const inputs = {
            made: secret(link),
            configured: secret("t0ken-of-the-configuration"),
            encoded: secret(Buffer.from("t0ken-of-the-configuration").toString("base64")),
            literal: { deep: [secret("l1teral-of-the-program")] },
        };
        const { doubts } = redact(stateOf([bundle(), resource("release", "docs", { inputs })]), {
            configuration: config,
            configurationValues: { "docs:token": { value: "t0ken-of-the-configuration" } },
        });
        assert.deepEqual(doubts, ["Release docs: literal.deep[0]"]);
    });

    it("contains no secret and preserves the structure, regardless of the secrets and the text around them", () => {
        const text = fc.stringMatching(/^[\w ./:?&=-]{0,12}5ecret-[a-f\d]{8}[\w ./:?&=-]{0,12}$/);
        const { value } = fc.letrec((tie) => ({
            value: fc.oneof(
                { maxDepth: 3 },
                text,
                fc.integer(),
                fc.boolean(),
                fc.constant(null),
                fc.array(tie("value"), { maxLength: 3 }),
                fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tie("value"), { maxKeys: 3 }),
            ),
        }));
        fc.assert(
            fc.property(value, value, text, (one, other, plain) => {
                const inputs = { one: secret(one), deep: [{ other: secret(other) }], note: `before ${plain} after` };
                const outputs = { plain: secret(plain), __inputs: secret({ one: nested(one), note: inputs.note }) };
                const { state, resources } = redact(stateOf([resource("release", "docs", { inputs, outputs })]));
                const [after] = resources;
                assert.doesNotMatch(JSON.stringify([state, resources]), /5ecret-/);
                assert.deepEqual(shapeOf(after?.inputs?.["one"]), shapeOf(one));
                assert.deepEqual(shapeOf(after?.inputs?.["deep"]), shapeOf([{ other }]));
                assert.deepEqual(
                    (after?.outputs?.["__inputs"] as { one: unknown } | undefined)?.one,
                    after?.inputs?.["one"],
                );
            }),
        );
    });
});

describe("a state that cannot be redacted", () => {
    const refuses = (resources: object[], message: RegExp, fields: object = {}) =>
        assert.throws(() => redact(stateOf(resources, fields)), message);

    it("is refused if provider code is a secret, and the error names the property", () => {
        refuses([bundle({ inputs: { __provider: secret(provider) } })], /\n {2}- StaticExportBundle docs: __provider/);
    });

    it("is refused if provider code contains a secret, and the error names the property", () => {
        const inputs = { __provider: `const link = "${link}";` };
        refuses([bundle({ inputs })], /\n {2}- StaticExportBundle docs: inputs.__provider holds a secret/);
    });

    it("is refused if the program's name, which every URN contains, is a secret", () => {
        const urn = urnOf("bundle", "docs").replace("dev::docs", "dev::t0ken-of-the-project");
        const inputs = { token: secret("t0ken-of-the-project") };
        refuses([bundle({ urn, inputs })], /\n {2}- StaticExportBundle docs: urn holds a secret[^]*docs: token/);
    });

    it("is refused if a file is a secret (its digest would change), and the error names the property", () => {
        const archive = marked(archiveMark, {
            hash: "ab",
            assets: { a: marked(assetMark, { hash: "cd", text: "x" }) },
        });
        refuses(
            [resource("release", "docs", { inputs: { file: secret([archive]) } })],
            /\n {2}- Release docs: file is a secret file/,
        );
    });

    const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    const holding = (fields: object) => stateOf([resource("release", "docs", fields)]);
    for (const [where, state, place] of [
        ["an identifier", holding({ id: token }), "Release docs: id"],
        ["an alias", holding({ aliases: [urnOf("release", token)] }), "Release docs: aliases[0]"],
        ["a name", holding({ urn: urnOf("release", token) }), "Release …: urn"],
        ["a key of a map", holding({ inputs: { labels: { [token]: "on" } } }), "Release docs: inputs.labels"],
        ["an operation", stateOf([], { pending_operations: [{ resource: { ...bundle(), id: token } }] }), "docs: id"],
        ["a snippet", stateOf([], { snippets: [token] }), "snippets[0]"],
    ] as const) {
        it(`is refused if ${where} holds a token that nobody marked, and the error names only the place`, () => {
            const expected = `${place} holds a key that nobody marked as a secret`;
            assert.throws(
                () => redact(state),
                ({ message }: Error) => message.includes(expected) && !message.includes(token),
            );
        });
    }

    it("is refused with a list of all reasons", () => {
        const provider = { __provider: secret("") };
        refuses([bundle({ inputs: provider }), resource("release", "docs", { inputs: provider })], /\n.*\n.*Release/);
    });

    it("is refused if the secrets provider is unknown, and the error names the provider", () => {
        const fields = { secrets_providers: { type: "b64", state: {} } };
        refuses([bundle()], /secrets provider "b64" is unknown to this command/, fields);
    });

    it("is refused if the passphrase is wrong, and the error does not contain the passphrase", () => {
        const state = stateOf([bundle()], passphraseProvider);
        assert.throws(
            () => redact(state, { passphrase: "wr0ng" }),
            (error: Error) => /PULUMI_CONFIG_PASSPHRASE is not/.test(error.message) && !/wr0ng/.test(error.message),
        );
    });
});

function shapeOf(value: unknown): unknown {
    if (typeof value !== "object" || value === null) {
        return typeof value;
    }
    return Array.isArray(value)
        ? value.map(shapeOf)
        : Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member)]));
}
