import assert from "node:assert/strict";
import { hostInUrl } from "@pulumi-static-export/toolchain";

describe("a host in a URL", () => {
    it("has brackets if it is an IPv6 address", () => {
        assert.deepEqual(["fd00::1", "10.0.0.1", "docs.example.com"].map(hostInUrl), [
            "[fd00::1]",
            "10.0.0.1",
            "docs.example.com",
        ]);
    });
});
