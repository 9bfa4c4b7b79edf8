import { clientOf } from "@pulumi-static-export/contract";
import assert from "node:assert/strict";

describe("The client of an address", () => {
    it("is one IPv4 address, also if it is written as IPv6", () => {
        assert.equal(clientOf("203.0.113.7"), "203.0.113.7");
        assert.equal(clientOf("::ffff:203.0.113.7"), "203.0.113.7");
        assert.equal(clientOf("::FFFF:203.0.113.7"), "203.0.113.7");
    });

    it("is an IPv6 network of 64 bits, however its addresses are written", () => {
        for (const address of [
            "2001:db8:0:1::7",
            "2001:DB8::1:a:b:c:d",
            "2001:0db8:0000:0001:ffff:ffff:ffff:ffff",
            "2001:db8:0:1::1.2.3.4",
        ]) {
            assert.equal(clientOf(address), "2001:db8:0:1::/64", address);
        }
        assert.equal(clientOf("2001:db8:0:2::7"), "2001:db8:0:2::/64");
        assert.equal(clientOf("::1"), "0:0:0:0::/64");
        assert.equal(clientOf("fe80::1%eth0"), "fe80:0:0:0::/64");
    });

    it("is any other text itself", () => {
        for (const text of ["", "unknown", "[::1]:8080", "1:2"]) {
            assert.equal(clientOf(text), text);
        }
    });
});
