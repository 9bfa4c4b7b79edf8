import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "acorn";
import { integrations } from "../../../../exporter/src/read/settings/integration-table.js";
import { type ExportSiteOptions } from "../../../../exporter/src/write/export-site.js";
import { services } from "../../browser/support/services.js";
import { type Files, listFiles, warningsOf, withExport } from "../../support/site-fixture.js";

const siteWith = (settings: object): Files => ({
    "docs.json": JSON.stringify({ name: "Docs", navigation: { pages: ["a"] }, ...settings }, null, 1),
    "a.md": "# A",
});
const all = Object.fromEntries(Object.entries(services).map(([name, { settings }]) => [name, settings]));

async function sends(settings: object, options: Partial<ExportSiteOptions> = {}): Promise<readonly string[]> {
    let found: readonly string[] = [];
    await withExport(siteWith({ integrations: settings }), (site) => void (found = site.sends), options);
    return found;
}

/** Returns all text files of an export in one string. */
async function textOf(outDir: string): Promise<string> {
    const files = (await listFiles(outDir)).filter((file) => /\.(?:html|js|json|md|txt|xml)$/.test(file));
    return (await Promise.all(files.map((file) => readFile(join(outDir, file), "utf8")))).join("\n");
}

const policyIn = (html: string) => /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];

describe("integrations", () => {
    it("send nothing and add no policy unless configured", async () => {
        await withExport(siteWith({}), async ({ outDir, read, sends: sentences }) => {
            assert.deepEqual(sentences, []);
            assert.equal(policyIn(await read("a.html")), undefined);
            assert.doesNotMatch(await textOf(outDir), /static-export\/analytics/);
        });
    });

    it("report which data they send, where and when", async () => {
        const { plausible, intercom, posthog } = all;
        assert.deepEqual(await sends({ plausible, intercom, posthog }), [
            "Plausible gets page views and events (stats.example.org).",
            "Intercom gets chats of readers (widget.intercom.io, js.intercomcdn.com, *.intercom.io, *.intercomcdn.com).",
            "PostHog gets page views and events (eu-assets.i.posthog.com, eu.i.posthog.com).",
        ]);
        assert.deepEqual(await sends({ plausible, osano: "https://cmp.osano.com/a.js" }), [
            "Plausible gets page views and events after the reader's consent (stats.example.org).",
            "Osano asks readers for consent (cmp.osano.com, *.osano.com).",
        ]);
        assert.deepEqual(await sends({ plausible }, { domain: "localhost" }), [
            "Plausible gets page views and events, once the site is exported with its --domain (stats.example.org).",
        ]);
    });

    it("use a policy that allows only the hosts of the site's services and no inline code", async () => {
        for (const [name, { settings }] of Object.entries(services)) {
            await withExport(siteWith({ integrations: { [name]: settings } }), async ({ read }) => {
                const policy = (policyIn(await read("a.html")) ?? "").replaceAll("&#39;", "'");
                assert.match(policy, /^script-src 'self' file: https?:/);
                assert.doesNotMatch(policy, /unsafe|\*(?!\.)/);
                const others = Object.entries(services).filter(([other]) => other !== name);
                for (const { hostname } of others.map(([, { script }]) => new URL(script))) {
                    const isOwn = new URL(services[name as keyof typeof services].script).hostname === hostname;
                    assert.ok(isOwn || !policy.includes(hostname), `${name} allows ${hostname}`);
                }
            });
        }
    });

    it("are missing from all files of an air-gapped export, with a warning for each", async () => {
        const options = { deployment: "air-gapped" } as const;
        await withExport(
            siteWith({ integrations: { ...all, osano: "https://cmp.osano.com/a.js" } }),
            async ({ outDir, sends: sentences, warnings }) => {
                const text = await textOf(outDir);
                for (const { script, receiver } of Object.values(services)) {
                    assert.ok(!text.includes(new URL(script).hostname) && !text.includes(new URL(receiver).hostname));
                }
                assert.ok(!text.includes("osano"));
                assert.deepEqual(sentences, []);
                assert.equal(warnings.length, Object.keys(integrations).length);
            },
            options,
        );
        assert.deepEqual(await warningsOf(siteWith({ integrations: { plausible: all["plausible"] } }), options), [
            'docs.json:9: the setting "integrations.plausible" has no effect: pages of an air-gapped deployment send nothing to Plausible',
        ]);
    });

    it("are left out for localhost", async () => {
        await withExport(
            siteWith({ integrations: all }),
            async ({ outDir, read }) => {
                assert.doesNotMatch(await textOf(outDir), /googletagmanager/);
                assert.equal(policyIn(await read("a.html")), undefined);
            },
            { domain: "localhost" },
        );
    });

    const invalid: [string, object, string][] = [
        [
            "a missing key",
            { ga4: {} },
            "docs.json:9: integrations.ga4 needs measurementId: without it, nothing is sent to Google Analytics",
        ],
        [
            "a key that is code",
            { fathom: { siteId: "a'); alert(1)" } },
            "docs.json:10: integrations.fathom.siteId must be an id: until then, nothing is sent to Fathom",
        ],
        [
            "a server that is not an address",
            { plausible: { domain: "a", server: "https://a b'; script-src *" } },
            "docs.json:11: integrations.plausible.server must be an address such as https://stats.example.com: until then, nothing is sent to Plausible",
        ],
        [
            "an unknown service",
            { hightouch: { apiKey: "a" } },
            'docs.json:9: the setting "integrations.hightouch" is not supported: nothing is sent to this service',
        ],
    ];
    for (const [what, settings, warning] of invalid) {
        it(`report ${what}, and send nothing`, async () => {
            assert.deepEqual(await warningsOf(siteWith({ integrations: settings })), [warning]);
            assert.deepEqual(await sends(settings), []);
        });
    }

    for (const [name, value] of [
        ["cookies", { key: "consent" }],
        ["osano", "http://cmp.osano.com/a.js"],
        ["transcend", true],
    ] as const) {
        it(`send nothing at all if ${name} cannot be read`, async () => {
            const settings = { plausible: all["plausible"], [name]: value };
            assert.deepEqual(await sends(settings), []);
            assert.equal((await warningsOf(siteWith({ integrations: settings }))).length, 1);
        });
    }

    it("are read from analytics in an older site's mint.json", async () => {
        const mint = {
            name: "Docs",
            navigation: [{ group: "A", pages: ["a"] }],
            analytics: { fathom: { siteId: "F" } },
        };
        await withExport({ "mint.json": JSON.stringify(mint), "a.md": "# A" }, (site) =>
            assert.deepEqual(site.sends, ["Fathom gets page views and events (cdn.usefathom.com)."]),
        );
    });

    it("contain code that browsers can parse", () => {
        for (const { start, send = "" } of Object.values<{ start: string; send?: string }>(integrations)) {
            parse(`function f(s, load, name, data) { ${start} ${send} }`, { ecmaVersion: 2022 });
        }
    });
});

describe("feedback", () => {
    const linksOf = async (repository: string) => {
        let links: string[] = [];
        const settings = { feedback: { suggestEdit: true, raiseIssue: true, repository } };
        await withExport(siteWith(settings), async ({ read }) => {
            const [, part = ""] = /<div class="feedback">(.*)<\/div>/.exec(await read("a.html")) ?? [];
            links = [...part.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));
        });
        return links;
    };

    it("links to the page's source and to new issues, on GitHub and GitLab", async () => {
        assert.deepEqual(await linksOf("https://github.com/acme/docs/tree/next/site/"), [
            "https://github.com/acme/docs/edit/next/site/a.md",
            "https://github.com/acme/docs/issues/new?title=A&body=https%3A%2F%2Fdocs.example.com%2Fa",
        ]);
        assert.deepEqual(await linksOf("https://gitlab.com/acme/docs"), [
            "https://gitlab.com/acme/docs/-/edit/main/a.md",
            "https://gitlab.com/acme/docs/-/issues/new?issue%5Btitle%5D=A&issue%5Bdescription%5D=https%3A%2F%2Fdocs.example.com%2Fa",
        ]);
    });

    it("is left out with a warning if no service and no repository receives the feedback", async () => {
        const settings = { feedback: { thumbsRating: true, suggestEdit: true } };
        assert.deepEqual((await warningsOf(siteWith(settings))).sort(), [
            'docs.json:10: the setting "feedback.suggestEdit" has no effect: "feedback.repository" must be the address of the site\'s folder, such as https://github.com/acme/docs/tree/main/docs',
            'docs.json:9: the setting "feedback.thumbsRating" has no effect: no service of "integrations" receives the answers',
        ]);
        await withExport(siteWith(settings), async ({ read }) => {
            assert.doesNotMatch(await read("a.html"), /class="feedback"/);
        });
    });

    it("does not ask whether a page helped if telemetry is off or only support services are configured", async () => {
        const feedback = { thumbsRating: true };
        for (const given of [{ ...all, telemetry: { enabled: false } }, { intercom: all["intercom"] }]) {
            await withExport(siteWith({ feedback, integrations: given }), async ({ read }) => {
                assert.doesNotMatch(await read("a.html"), /class="helpful"/);
            });
        }
        await withExport(siteWith({ feedback, integrations: all }), async ({ read }) => {
            assert.match(await read("a.html"), /class="helpful"/);
        });
    });
});
