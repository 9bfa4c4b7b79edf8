import assert from "node:assert/strict";
import { redact, redactUrl } from "@pulumi-static-export/sdk";
import { cleanServerText } from "../../../sdk/src/http/server-text.js";

describe("redactUrl", () => {
    it("removes query, credentials and fragment, and leaves the rest unchanged", () => {
        assert.equal(
            redactUrl("https://u:p@b.example.com:8443/a/b.tar.gz?sig=1#f"),
            "https://b.example.com:8443/a/b.tar.gz",
        );
    });

    it("shows only the scheme of an address that has no host", () => {
        assert.equal(redactUrl("data:text/plain,secret"), "data:…");
        assert.equal(redactUrl("file:///home/secret"), "file:…");
    });

    it("hides all text that is not an address", () => {
        assert.equal(redactUrl("b.example.com?sig=1"), "(not an address)");
    });
});

describe("redact", () => {
    it("replaces every occurrence of every secret", () => {
        assert.equal(redact("a key, b key, c word", ["key", "word"]), "a [secret], b [secret], c [secret]");
    });

    it("replaces the longer of two secrets as a whole if both begin with the same text", () => {
        assert.equal(redact("key_123", ["key", "key_123"]), "[secret]");
    });

    it("treats secrets as literal text, and ignores empty secrets", () => {
        assert.equal(redact("a.c abc", ["a.c", ""]), "[secret] abc");
    });
});

describe("cleanServerText", () => {
    it("joins several lines into one, and removes control characters", () => {
        assert.equal(cleanServerText("  quota\r\n\texceeded\u001b[31m \u0000", []), "quota exceeded [31m");
    });

    it("limits the length of the text after removing the secrets", () => {
        const cleaned = cleanServerText(`${"x".repeat(198)}secret-key${"y".repeat(300)}`, ["secret-key"]);
        assert.equal(cleaned, `${"x".repeat(198)}[s … ${"y".repeat(300)}`);
    });

    it("removes queries and credentials from addresses", () => {
        assert.equal(
            cleanServerText('cannot fetch "https://u:p@b.example.com/x?X-Amz-Signature=abc" (s3://b/y#z)', []),
            'cannot fetch "https://b.example.com/x" (s3://b/y',
        );
    });
});
