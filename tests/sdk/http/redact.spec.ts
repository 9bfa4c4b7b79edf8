import assert from "node:assert/strict";
import { redact, redactUrl } from "@pulumi-static-export/sdk";
import { cleanServerText } from "../../../sdk/src/http/server-text.js";

describe("redactUrl", () => {
    it("drops query, credentials and fragment, and keeps the rest", () => {
        assert.equal(
            redactUrl("https://u:p@b.example.com:8443/a/b.tar.gz?sig=1#f"),
            "https://b.example.com:8443/a/b.tar.gz",
        );
    });

    it("shows only the scheme of an address without a host", () => {
        assert.equal(redactUrl("data:text/plain,secret"), "data:…");
        assert.equal(redactUrl("file:///home/secret"), "file:…");
    });

    it("shows nothing of text that is not an address", () => {
        assert.equal(redactUrl("b.example.com?sig=1"), "(not an address)");
    });
});

describe("redact", () => {
    it("replaces every occurrence of every secret", () => {
        assert.equal(redact("a key, b key, c word", ["key", "word"]), "a [secret], b [secret], c [secret]");
    });

    it("replaces the longer of two secrets with the same beginning as a whole", () => {
        assert.equal(redact("key_123", ["key", "key_123"]), "[secret]");
    });

    it("takes secrets literally and ignores empty ones", () => {
        assert.equal(redact("a.c abc", ["a.c", ""]), "[secret] abc");
    });
});

describe("cleanServerText", () => {
    it("joins lines into one, without control characters", () => {
        assert.equal(cleanServerText("  quota\r\n\texceeded\u001b[31m \u0000", []), "quota exceeded [31m");
    });

    it("bounds the text after removing the secrets", () => {
        const cleaned = cleanServerText(`${"x".repeat(498)}${"secret-key"}`, ["secret-key"]);
        assert.equal(cleaned, `${"x".repeat(498)}[s…`);
    });

    it("drops queries and credentials of the addresses in it", () => {
        assert.equal(
            cleanServerText('cannot fetch "https://u:p@b.example.com/x?X-Amz-Signature=abc" (s3://b/y#z)', []),
            'cannot fetch "https://b.example.com/x" (s3://b/y',
        );
    });
});
