import assert from "node:assert/strict";
import { nearestRoute } from "../../../../exporter/src/plan/links/nearest-route.js";
import { warningsOf } from "../../support/site-fixture.js";

describe("The page that an author most likely meant", () => {
    const pages = new Map(["index", "guides/start", "guides/install", "api/start"].map((route) => [route, route]));
    const cases: [written: string, meant: string | undefined][] = [
        ["guides/strat", "guides/start"],
        ["guide/start", "guides/start"],
        ["Guides/start", "guides/start"],
        ["guides/instal", "guides/install"],
        ["guides/other", undefined],
        ["guides/deep/start", undefined],
        ["gone", undefined],
    ];
    for (const [written, meant] of cases) {
        it(`is ${meant ?? "unknown"} for ${written}`, () => assert.equal(nearestRoute(written, pages), meant));
    }

    it("is named by the warning about a link, and about an entry of the navigation", async () => {
        const files = {
            "index.md": "# Home\n\n[start](./guides/strat.md)\n",
            "guides/start.md": "# Start\n",
            "docs.json": JSON.stringify({ navigation: { pages: ["index", "guide/start", "guides/start"] } }),
        };
        assert.deepEqual(await warningsOf(files), [
            'docs.json:1: navigation names the page "guide/start", but there is no guide/start.md or guide/start.mdx: ' +
                'did you mean "guides/start"?',
            "index.md:3: the link ./guides/strat.md leads to no page and no file of this site: " +
                "did you mean /guides/start?",
        ]);
    });

    it("is named by the warning about an entry of SUMMARY.md", async () => {
        const files = {
            "SUMMARY.md": "* [Home](index.md)\n* [Start](strat.md)\n",
            "index.md": "# H",
            "start.md": "# S",
        };
        assert.deepEqual(await warningsOf(files), [
            "SUMMARY.md:2: the contents name strat.md, but there is no such page: did you mean start.md?",
        ]);
    });
});
