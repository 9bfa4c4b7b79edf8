import assert from "node:assert/strict";
import { redactUrl } from "@pulumi-static-export/sdk/internal";

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
