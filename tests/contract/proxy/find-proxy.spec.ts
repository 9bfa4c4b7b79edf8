import assert from "node:assert/strict";
import { describeProxy, findProxy } from "../../../contract/src/proxy/index.js";

const env = { HTTPS_PROXY: "http://secure.proxy:3128", HTTP_PROXY: "plain.proxy:8080" };
const of = (address: string, more: Record<string, string> = {}) => findProxy(address, { ...env, ...more })?.host;

describe("the proxy of a request", () => {
    it("comes from the scheme's variable (lower case before upper case), or else from ALL_PROXY", () => {
        assert.equal(of("https://api.example.com"), "secure.proxy:3128");
        assert.equal(of("http://api.example.com"), "plain.proxy:8080");
        assert.equal(of("http://api.example.com", { http_proxy: "http://lower.proxy:1" }), "lower.proxy:1");
        assert.equal(findProxy("https://a.example.com", { ALL_PROXY: "http://all.proxy:1" })?.host, "all.proxy:1");
        assert.equal(findProxy("https://a.example.com", {}), undefined);
    });

    for (const [noProxy, address, isDirect] of [
        ["example.com", "https://example.com", true],
        ["example.com", "https://api.example.com", true],
        [".example.com", "https://api.example.com", true],
        ["example.com", "https://badexample.com", false],
        ["a.example.com, b.example.com", "https://b.example.com", true],
        ["example.com:8443", "https://example.com:8443", true],
        ["example.com:8443", "https://example.com", false],
        ["10.0.0.0/8", "http://10.1.2.3:9000", true],
        ["10.0.0.0/8", "http://11.1.2.3", false],
        ["127.0.0.1", "http://127.0.0.1:8787", true],
        ["::1", "http://[::1]:8787", true],
        ["*", "https://anything.example", true],
        ["example.com.", "https://api.example.com", true],
        ["example.com", "https://api.example.com.", true],
        ["example.com.", "https://badexample.com.", false],
    ] as const) {
        it(`is ${isDirect ? "none" : "used"} for ${address} with NO_PROXY=${noProxy}`, () => {
            assert.equal(of(address, { NO_PROXY: noProxy }) === undefined, isDirect);
        });
    }

    it("is refused if it is not an http or https proxy, and the error does not contain its password", () => {
        assert.throws(() => of("http://a.example.com", { http_proxy: "socks5://me:5ecret@proxy:1080" }), {
            name: "ProxySettingError",
            message: "HTTP_PROXY must name a proxy as http://host:port or https://host:port",
        });
    });

    it("is described with its variable, without user and password", () => {
        const secret = { ...env, HTTPS_PROXY: "http://me:5ecret@secure.proxy:3128" };
        assert.equal(describeProxy("https://api.example.com", secret), "secure.proxy:3128 (HTTPS_PROXY)");
        assert.equal(describeProxy("https://a.example.com", { all_proxy: "http://p:1" }), "p:1 (ALL_PROXY)");
        assert.equal(describeProxy("https://a.example.com", {}), undefined);
        assert.equal(describeProxy("https://a.example.com", { HTTPS_PROXY: "socks5://p:1" }), undefined);
    });
});
