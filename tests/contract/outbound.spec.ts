import assert from "node:assert/strict";
import { type BundleFacts, describeApiRequests, describeOutbound } from "@pulumi-static-export/contract";

const quiet: BundleFacts = {
    version: 1,
    domain: "docs.example.com",
    basePath: "",
    deployment: "client-hosted",
    pages: 1,
    privatePages: 0,
    features: { documentationSearch: true, aiAssistant: false, webAnalytics: false, apiPlayground: true },
    services: [],
    apiServers: ["api.example.com"],
    aiTools: [],
    embeds: [],
};
const service = (hosts: string[], sends = "page views") =>
    ({ name: "plausible", title: "Plausible", kind: "analytics", sends, hosts, needsConsent: false }) as const;

describe("The list of data that a bundle sends", () => {
    it("includes the receivers of the data", () => {
        const facts = {
            ...quiet,
            services: [service(["plausible.example.com"]), service(["a.example", "*.b.example"], "chats of readers")],
            aiTools: ["chatgpt", "devin-desktop"],
            embeds: ["img.example.net"],
        };
        assert.deepEqual(describeOutbound(facts), [
            "page views to plausible.example.com",
            "chats of readers to a.example, *.b.example",
            "addresses of pages to the AI tools of the page menu: chatgpt, devin-desktop",
            "requests for pictures, frames, styles or fonts to img.example.net",
        ]);
    });

    it("is empty if no page loads anything from another host", () => {
        assert.deepEqual(describeOutbound(quiet), []);
        assert.deepEqual(describeApiRequests(quiet), ["requests of Try it to api.example.com"]);
        assert.deepEqual(describeApiRequests({ ...quiet, apiServers: [] }), []);
    });

    it("counts the entries instead of showing them if a hostile bundle contains markup or too many entries", () => {
        const hostile = { ...quiet, services: [service(["[a](//x)", "<b>", "ok.example"], "**all**")] };
        assert.deepEqual(describeOutbound(hostile), ["data of readers to ok.example, 2 other hosts"]);
        const embeds = Array.from({ length: 100_000 }, (_, at) => `h${at}.example`);
        const [line = ""] = describeOutbound({ ...quiet, embeds });
        assert.match(line, /h19\.example, 99980 other hosts$/);
        const many = Array.from({ length: 1000 }, () => service(["a.example"]));
        assert.equal(describeOutbound({ ...quiet, services: many }).length, 41);
        assert.equal(describeOutbound({ ...quiet, embeds: ["<"] })[0]?.endsWith("to 1 host"), true);
    });
});
