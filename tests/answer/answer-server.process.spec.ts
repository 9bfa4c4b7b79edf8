import assert from "node:assert/strict";
import { siteWithReaders, withAnsweredSite } from "./support/answered-site.js";
import { asA, serveSite, withServer } from "./support/answering.js";

describe("The search API of an exported site", () => {
    it("returns the content, path and metadata of sections, like the platform's API", () =>
        withServer(async ({ post }) => {
            const [status, hits] = await post("/v1/search/docs.example.com", { query: "clams", pageSize: 1 });
            assert.equal(status, 200);
            assert.deepEqual(hits, [
                {
                    content: "Feed the walrus with clams.",
                    path: "guides/start#next-steps",
                    metadata: { title: "Start", heading: "Next steps" },
                },
            ]);
        }));

    it("returns a page as Markdown, or 404 if the page does not exist", () =>
        withServer(async ({ post }) => {
            const [status, page] = await post("/v1/page/docs.example.com", { path: "guides/start" });
            assert.equal(status, 200);
            assert.deepEqual(Object.keys(page as object), ["content", "path"]);
            assert.deepEqual(await post("/v1/page/docs.example.com", { path: "nowhere" }), [
                404,
                { error: "There is no page nowhere." },
            ]);
        }));

    it("finds private pages only for readers in the groups that the proxy's header lists", () =>
        withServer(async ({ post }) => {
            const find = async (headers: Record<string, string>) => {
                const [, hits] = await post("/v1/search/x", { query: "narwhal" }, headers);
                return (hits as { path: string }[]).map(({ path }) => path);
            };
            assert.deepEqual(await find(asA), ["only-a"]);
            assert.deepEqual(await find({}), []);
            assert.deepEqual(await find({ "x-groups": "a" }), [], "groups without a reader");
            assert.deepEqual(await find({ "x-user": "ann", "x-groups": "b, a" }), [], "a header that was sent twice");
        }));

    it("accepts non-ASCII group names, which proxies send as UTF-8", () =>
        withAnsweredSite(
            { ...siteWithReaders, "only-b.md": "---\ntitle: B\ngroups: [größe]\n---\nA beluga.\n" },
            (site) =>
                serveSite(site, {}, async ({ post }) => {
                    const groups = Buffer.from("größe").toString("latin1");
                    const [, hits] = await post("/v1/search/x", { query: "beluga" }, { ...asA, "x-groups": groups });
                    assert.deepEqual(
                        (hits as { path: string }[]).map(({ path }) => path),
                        ["only-b"],
                    );
                }),
            { privatePages: "keep-apart" },
        ));

    it("accepts filters that the whole site matches, and empty filters", () =>
        withServer(async ({ post }) => {
            for (const filter of [{ language: "en" }, { language: "EN" }, { language: "", version: " " }]) {
                const [status, hits] = await post("/v1/search/docs.example.com", { query: "clams", filter });
                assert.deepEqual([status, (hits as { path: string }[])[0]?.path], [200, "guides/start#next-steps"]);
            }
        }));

    it("explains why a request is invalid", () =>
        withServer(
            async ({ post, errors }) => {
                const search = "/v1/search/docs.example.com";
                for (const [body, error] of [
                    [{}, "body must have required property 'query'"],
                    [{ query: "x".repeat(501) }, "body/query must NOT have more than 500 characters"],
                    [{ query: "walrus", pageSize: 51 }, "body/pageSize must be <= 50"],
                    ["{", "Body is not valid JSON but content-type is set to 'application/json'"],
                    [
                        { query: "walrus", filter: { language: "fr" } },
                        "This site has only one language: search without language.",
                    ],
                    [
                        { query: "walrus", filter: { version: "v9" } },
                        "This site has only one version: search without version.",
                    ],
                ] as const) {
                    assert.deepEqual(await post(search, body), [400, { error }]);
                }
                assert.deepEqual(await post("/v1/search/other.example.com", { query: "walrus" }), [
                    404,
                    { error: "This server only serves docs.example.com." },
                ]);
                assert.equal((await post("/nowhere", {}))[0], 404);
                assert.deepEqual(errors, []);
            },
            { domain: "docs.example.com" },
        ));
});
