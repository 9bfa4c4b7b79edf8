import assert from "node:assert/strict";
import { searchedHost } from "../../../service/src/http/protocol/searched-host.js";

describe("A search for a site", () => {
    for (const [search, host] of [
        ["https://docs.example.com/guides/start?x=1#top", "docs.example.com"],
        [" HTTP://Docs.Example.com:8080 ", "docs.example.com"],
        ["docs.example.com/guides", "docs.example.com"],
        ["https://user@docs.example.com/", "docs.example.com"],
        ["https://bücher.example/", "xn--bcher-kva.example"],
        ["Docs", "docs"],
        ["docs.example", "docs.example"],
        ["feature/login", "feature/login"],
        ["https://", "https://"],
    ] as const) {
        it(`for ${JSON.stringify(search)} looks for ${host}`, () => {
            assert.equal(searchedHost(search), host);
        });
    }
});
