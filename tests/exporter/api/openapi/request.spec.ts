import assert from "node:assert/strict";
import { type FilledField, requestOf } from "../../../../exporter/src/api/openapi/request.js";

function cookiesOf(...fields: FilledField[]): string | undefined {
    const { headers } = requestOf({ method: "GET", url: "https://e.com", path: "/" }, fields, undefined);
    return new Map(headers).get("Cookie");
}

const words = "a b/ü";

describe("A cookie of a request", () => {
    const field = { in: "cookie", style: "cookie" };

    it("is not encoded in the style cookie: neither name nor value", () => {
        assert.equal(cookiesOf({ field: { ...field, name: "c[1]" }, value: words }), "c[1]=a b/ü");
    });

    it("repeats its name for each item in the style cookie", () => {
        const value = ["a", "b"];
        assert.equal(cookiesOf({ field: { ...field, name: "c" }, value }), "c=a; c=b");
        assert.equal(cookiesOf({ field: { ...field, name: "c", explode: false }, value }), "c=a,b");
    });

    it("has a pair for each key of an object in the style cookie", () => {
        assert.equal(cookiesOf({ field: { ...field, name: "c" }, value: { a: 1, b: words } }), "a=1; b=a b/ü");
    });

    it("is encoded in the default style", () => {
        assert.equal(cookiesOf({ field: { in: "cookie", name: "c" }, value: words }), "c=a%20b%2F%C3%BC");
    });
});
