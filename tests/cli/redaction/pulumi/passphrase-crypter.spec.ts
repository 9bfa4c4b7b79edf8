import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { PassphraseCrypter } from "../../../../cli/src/redaction/pulumi/passphrase-crypter.js";

interface PulumiState {
    deployment: {
        secrets_providers: { state: { salt: string } };
        resources: { inputs?: { "static-export:adminApiKey"?: { ciphertext: string } } }[];
    };
}

describe("the crypter for Pulumi's passphrase secrets provider", () => {
    const file = new URL("../../../e2e/fixtures/state-0.1.0.json", import.meta.url);
    const { deployment } = JSON.parse(readFileSync(file, "utf8")) as PulumiState;
    const { salt } = deployment.secrets_providers.state;
    const [ciphertext = ""] = deployment.resources.flatMap(
        ({ inputs }) => inputs?.["static-export:adminApiKey"]?.ciphertext ?? [],
    );

    it("decrypts text that Pulumi encrypted, and refuses altered text", () => {
        const crypter = PassphraseCrypter.open("e2e", salt);
        assert.match(crypter?.decrypt(ciphertext) ?? "", /^"\S+"$/);
        assert.equal(crypter?.decrypt(ciphertext.replace(/.$/, "A")), undefined);
        assert.equal(crypter?.decrypt("v2:a:b"), undefined);
    });

    it("refuses a wrong passphrase", () => {
        assert.equal(PassphraseCrypter.open("e2e ", salt), undefined);
    });

    it("rejects a string that is not a salt", () => {
        assert.equal(PassphraseCrypter.open("e2e", "v2:salt"), undefined);
    });

    it("decrypts its own output with the same passphrase", () => {
        const written = PassphraseCrypter.create("a passphrase");
        const text = written.encrypt("s3cr3t ✓");
        assert.equal(PassphraseCrypter.open("a passphrase", written.salt)?.decrypt(text), "s3cr3t ✓");
    });
});
