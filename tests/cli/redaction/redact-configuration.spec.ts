import assert from "node:assert/strict";
import { parse } from "yaml";
import { redactConfiguration } from "../../../cli/src/redaction/redact-configuration.js";
import { redact, redactedCrypter, secret, resource, stackCrypter, stateOf } from "./support/stack-states.js";

const key = "admin_0123456789abcdef";
const secure = (text: string) => stackCrypter.encrypt(text);
const secrets = { key: secure(key), password: secure("p4ssword-of-the-database"), ports: secure("[8080]") };
const configuration = `# Who may deploy: see the wiki.
encryptionsalt: ${stackCrypter.salt}
config:
  docs:version: "1"
  static-export:adminApiKey:
    secure: ${secrets.key}
  docs:database:
    host: db.example.com
    password: { secure: "${secrets.password}" }
  docs:ports:
    - secure: ${secrets.ports}
  docs:apiToken: t0ken-in-clear
`;

interface Configuration {
    encryptionsalt: string;
    secretsprovider?: string;
    encryptedkey?: string;
    config: Record<string, never>;
}

const read = (text = "") => parse(text) as Configuration;
/** Decrypts a secret in the configuration with the placeholder's passphrase. */
const decrypt = (config: object, ...path: (string | number)[]) => {
    const value = path.reduce<unknown>((object, name) => (object as Record<string, unknown>)[name], config);
    return redactedCrypter.decrypt((value as { secure: string }).secure) ?? "";
};
const redactIt = (text = configuration, options = {}) =>
    redact(stateOf([]), { configuration: text, passphrase: "of the stack", ...options });

describe("a redacted configuration", () => {
    const { configuration: redacted, configurationPlaceholders: placeholders } = redactIt();
    const { config, encryptionsalt } = read(redacted);

    it("contains placeholders that the throw-away passphrase decrypts, even inside structures", () => {
        assert.equal(encryptionsalt, redactedCrypter.salt);
        assert.match(decrypt(config, "static-export:adminApiKey"), /^redacted-\d+$/);
        assert.match(decrypt(config, "docs:database", "password"), /^redacted-\d+$/);
        assert.match(decrypt(config, "docs:ports", 0), /^\[\d{4}\]$/);
    });

    it("preserves plain settings, comments and order, and replaces plain-text keys", () => {
        assert.match(redacted ?? "", /^# Who may deploy: see the wiki\.\n/);
        assert.match(redacted ?? "", /docs:version: "1"\n[^]*host: db\.example\.com\n/);
        assert.match(redacted ?? "", /docs:apiToken: "redacted-\d+"/);
        assert.doesNotMatch(redacted ?? "", /t0ken/);
    });

    it("stays JSON if it is JSON", () => {
        const text = JSON.stringify({
            encryptionsalt: stackCrypter.salt,
            config: { "docs:count": 5, "docs:on": true, "docs:key": { secure: secrets.key } },
        });
        const { encryptionsalt, config } = JSON.parse(redactIt(text).configuration ?? "") as Configuration;
        assert.equal(encryptionsalt, redactedCrypter.salt);
        assert.deepEqual([config["docs:count"], config["docs:on"]], [5, true]);
        assert.match(decrypt(config, "docs:key"), /^redacted-\d+$/);
    });

    it("contains none of the stack's ciphertexts", () => {
        for (const ciphertext of [...Object.values(secrets), stackCrypter.salt]) {
            assert.ok(!redacted?.includes(ciphertext));
        }
    });

    it("uses the same placeholders as the redacted state", () => {
        const inputs = { "static-export:adminApiKey": secret(key), ports: secret([8080]) };
        const { configuration: text, resources } = redact(stateOf([resource("provider", "default", { inputs })]), {
            configuration,
            passphrase: "of the stack",
        });
        const settings = read(text).config;
        assert.equal(
            decrypt(settings, "static-export:adminApiKey"),
            resources[0]?.inputs?.["static-export:adminApiKey"],
        );
        assert.equal(decrypt(settings, "docs:ports", 0), JSON.stringify(resources[0]?.inputs?.["ports"]));
    });

    it("names no secrets provider other than the passphrase provider", () => {
        const text = "secretsprovider: awskms://alias/docs\nencryptedkey: AQID\nconfig: {}\n";
        const { secretsprovider, encryptedkey, encryptionsalt: salt } = read(redactIt(text).configuration);
        assert.deepEqual([secretsprovider, encryptedkey, salt], [undefined, undefined, redactedCrypter.salt]);
    });

    it("contains placeholders for undecryptable secrets that pulumi config --show-secrets printed", () => {
        const { configuration: text } = redact(stateOf([]), {
            configuration: configuration.replace(/encryptionsalt.*\n/, "secretsprovider: awskms://alias/docs\n"),
            configurationValues: {
                "static-export:adminApiKey": { value: key },
                "docs:database": { value: "", objectValue: { host: "db.example.com", password: "p4ssword" } },
                "docs:ports": { value: "[[8080]]" },
            },
        });
        assert.match(decrypt(read(text).config, "docs:ports", 0), /^\[\d{4}\]$/);
    });

    it("may be empty", () => {
        assert.equal(redactIt("").configuration, `encryptionsalt: ${redactedCrypter.salt}\n`);
    });

    it("is refused if a comment contains a secret", () => {
        assert.throws(() => redactIt(`# ${key}\n${configuration}`), /holds a secret in a comment/);
    });

    it("is refused if a comment contains a token that no setting has", () => {
        const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
        assert.throws(
            () => redactIt(`# ${token}\n${configuration}`),
            ({ message }: Error) => /holds a key in a comment/.test(message) && !message.includes(token),
        );
    });

    it("is refused if it imports a Pulumi Cloud environment", () => {
        assert.throws(() => redactIt("environment:\n  - production\n"), /cannot open: environment/);
    });

    it("is refused if the file is not a configuration", () => {
        assert.throws(() => redactIt("- a\n- list\n"), /is not a YAML file with settings/);
    });

    describe("on a pull request", () => {
        it("contains the pull request's settings, and the placeholders of unchanged secrets", () => {
            const changed = configuration.replace('docs:version: "1"', 'docs:version: "2"');
            const { configuration: text, unknown } = redactConfiguration(changed, placeholders);
            assert.deepEqual(read(text), read(redacted?.replace('docs:version: "1"', 'docs:version: "2"')));
            assert.deepEqual(unknown, []);
        });

        it("preserves the types and notation of plain settings", () => {
            const structured = `config:
  docs:site:
    replicas: 3
    enabled: false
    account: 12345678901234567890
    mask: 0x1F
    port: 8080 # of the pods
`;
            const { configuration: text } = redactConfiguration(structured, placeholders);
            assert.ok(text.startsWith(structured), text);
        });

        it("names a secret that the pull request changed, and gives it a different placeholder", () => {
            const changed = configuration.replace(secrets.key, secure("admin_another"));
            const { configuration: text, unknown } = redactConfiguration(changed, placeholders);
            assert.match(decrypt(read(text).config, "static-export:adminApiKey"), /^new-redacted-1$/);
            assert.deepEqual(unknown, ['["static-export:adminApiKey"]']);
        });

        it("contains a placeholder for a key that the pull request sets without --secret", () => {
            const changed = configuration.replace("t0ken-in-clear", "an0ther-in-clear");
            assert.doesNotMatch(redactConfiguration(changed, placeholders).configuration, /an0ther|t0ken/);
        });
    });
});
