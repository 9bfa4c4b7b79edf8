import assert from "node:assert/strict";
import { parse } from "yaml";
import { Placeholders } from "../../../../cli/src/redaction/placeholders/placeholders.js";

const kubeconfig = `
apiVersion: v1
kind: Config
# the key is t0p-secret-comment
clusters:
  - name: production
    cluster: { server: "https://api.production.example.com:6443", certificate-authority-data: Q0VSVElGSUNBVEU= }
users:
  - name: deployer
    user: { token: t0ken-of-the-deployer }
current-context: production
`;

const links = {
    S3: "https://bundles.example.com/docs/se_1.tar.gz?X-Amz-Date=20261120T120000Z&X-Amz-Expires=3600&X-Amz-Credential=AKIA123&X-Amz-Signature=5ecret",
    "Google Cloud Storage":
        "https://storage.googleapis.com/docs/se_1.tar.gz?X-Goog-Date=20261120T120000Z&X-Goog-Expires=3600&X-Goog-Signature=5ecret",
    Azure: "https://docs.blob.core.windows.net/bundles/se_1.tar.gz?se=2026-11-20T13%3A00%3A00Z&sig=5ecret",
    "our service": "http://127.0.0.1:8787/bundles/se_1.tar.gz?expires=1795179600&signature=5ecret",
};

/** Returns the parts of a link that its consumers use. */
function expiryOf(link: string): [string, string][] {
    const expiry = [...new URL(link).searchParams].filter(([name]) => /-date$|expires$|^se$/i.test(name));
    assert.ok(expiry.length > 0);
    return expiry;
}

describe("the placeholder of a secret", () => {
    let placeholders: Placeholders;

    beforeEach(() => {
        placeholders = new Placeholders();
    });

    it("is the same for equal secrets, and different for different secrets", () => {
        const first = placeholders.text("s3cr3t");
        assert.equal(placeholders.text("s3cr3t"), first);
        assert.notEqual(placeholders.text("s3cr3t2"), first);
        assert.equal(first, "redacted-1");
    });

    it("is empty for an empty string", () => {
        assert.equal(placeholders.text(""), "");
    });

    for (const [what, link] of Object.entries(links)) {
        it(`preserves the expiry of a link of ${what}, but neither the link's location nor its signature`, () => {
            const placeholder = placeholders.text(link);
            assert.deepEqual(expiryOf(placeholder), expiryOf(link));
            assert.doesNotMatch(placeholder, /5ecret|AKIA|se_1|docs|bundles|storage|blob|8787/);
        });
    }

    it("changes only in its query when the link is renewed", () => {
        const [one, other] = ["1", "2"].map((signature) =>
            placeholders.text(`https://bundles.example.com/se_1.tar.gz?expires=1795179600&signature=${signature}`),
        );
        assert.notEqual(one, other);
        assert.equal(one?.split("?")[0], other?.split("?")[0]);
    });

    it("has no query if the address has none", () => {
        assert.equal(placeholders.text("https://storage.internal.example/docs"), "https://redacted-1.invalid");
    });

    it("replaces an expiry that is not a time, and parameters that presigned links do not use", () => {
        const placeholder = placeholders.text("https://example.com/?expires=5ecret&5ecret=1&sig=2");
        assert.match(placeholder, /\?expires=redacted-\d&redacted-\d=redacted-\d&sig=redacted-\d$/);
    });

    it("does not look like an address if the secret's scheme is unknown", () => {
        assert.equal(placeholders.text("5ecret://example.com"), "redacted-1");
    });

    it("omits the user name and password of an address", () => {
        assert.doesNotMatch(placeholders.text("https://user:p4ssword@example.com/?token=abc"), /user|p4ssword|abc/);
    });

    it("is a number for a number, and equals the placeholder of the same number as text", () => {
        const placeholder = placeholders.json(8443);
        assert.match(String(placeholder), /^\d{4}$/);
        assert.notEqual(placeholder, 8443);
        assert.equal(placeholders.text("8443"), String(placeholder));
        assert.match(placeholders.text("3.14"), /^\d+\.\d+$/);
    });

    it("is false for true and for false, so that the original is not revealed", () => {
        assert.deepEqual(placeholders.json([true, false, "true", "false"]), [false, false, "false", "false"]);
    });

    it("preserves the structure of values and of JSON in a string", () => {
        const value = { user: "root", ports: [1, 2], nothing: null, empty: {} };
        const replaced = placeholders.json(value);
        assert.deepEqual(replaced, { user: "redacted-1", ports: [3, 4], nothing: null, empty: {} });
        assert.deepEqual(JSON.parse(placeholders.text(JSON.stringify(value))), replaced);
    });

    it("preserves the format of a kubeconfig, but not its server, certificates, tokens, names and comments", () => {
        const placeholder = placeholders.text(kubeconfig);
        assert.doesNotMatch(placeholder, /production|example\.com|Q0VSVElGSUNBVEU|t0ken|deployer|t0p-secret/);
        const { kind, clusters, users } = parse(placeholder) as Record<string, { cluster?: object; user?: object }[]>;
        assert.equal(kind, "Config");
        assert.deepEqual(Object.keys(clusters?.[0]?.cluster ?? {}), ["server", "certificate-authority-data"]);
        assert.deepEqual(Object.keys(users?.[0]?.user ?? {}), ["token"]);
    });

    it("preserves the format of a kubeconfig even if it is in JSON", () => {
        const json = JSON.stringify(parse(kubeconfig));
        assert.match(placeholders.text(json), /kind: Config[^]*server: https:\/\/127\.0\.0\.1:1\n/);
    });

    it("is encoded if the secret is encoded", () => {
        const placeholder = placeholders.text(Buffer.from("s3cr3t-token").toString("base64"));
        assert.equal(Buffer.from(placeholder, "base64").toString(), placeholders.text("s3cr3t-token"));
    });

    for (const [what, text, shape] of [
        ["a SHA-256 digest", "0123456789abcdef".repeat(4), /^[\da-f]{64}$/],
        ["a UUID", "6fa459ea-ee8a-4ca4-894e-db77e160355e", /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/],
        ["a host name", "docs.internal.example.com", /^redacted-1\.invalid$/],
        ["a folder in a bucket", "exports/docs/", /^redacted-1\/$/],
        ["a private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n", /^-----BEGIN/],
        ["an address of a database", "postgres://root:p4ss@db.example.com/docs", /^postgres:\/\/redacted-1\.invalid$/],
    ] as const) {
        it(`keeps the format of ${what}`, () => {
            const placeholder = placeholders.text(text);
            assert.match(placeholder, shape);
            assert.notEqual(placeholder, text);
            assert.doesNotMatch(placeholder, /MIIE|p4ss/);
        });
    }
});
