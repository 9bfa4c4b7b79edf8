import assert from "node:assert/strict";
import { parseBundleFacts } from "@pulumi-static-export/contract";

const facts = {
    version: 1,
    domain: "docs.example.com",
    basePath: "",
    deployment: "air-gapped",
    pages: 1,
    privatePages: 0,
    features: { documentationSearch: false, aiAssistant: false, webAnalytics: false, apiPlayground: false },
    services: [{ name: "ga4", title: "G", kind: "analytics", sends: "page views", hosts: ["a"], needsConsent: false }],
    apiServers: [],
    aiTools: [],
    embeds: [],
};

describe("the facts of a bundle", () => {
    it("are read from their file in the bundle", () => {
        assert.deepEqual(parseBundleFacts(JSON.stringify(facts)), facts);
    });

    for (const [name, change] of Object.entries({
        "another version": { version: 2 },
        "an unknown deployment": { deployment: "moon" },
        "a count below zero": { pages: -1 },
        "a feature that is not a flag": { features: { ...facts.features, aiAssistant: "yes" } },
        "a missing feature": { features: {} },
        "a service without hosts": { services: [{ ...facts.services[0], hosts: undefined }] },
        "a service of an unknown kind": { services: [{ ...facts.services[0], kind: "other" }] },
        "a list of something else": { embeds: [1] },
    })) {
        it(`are unknown with ${name}`, () => {
            assert.equal(parseBundleFacts(JSON.stringify({ ...facts, ...change })), undefined);
        });
    }

    it("are unknown if the text is not JSON", () => {
        assert.equal(parseBundleFacts("<!doctype html>"), undefined);
    });
});
