import assert from "node:assert/strict";
import { tryExample } from "./support/example-specs.js";

interface Rule {
    readonly action: string;
    readonly expression: string;
    readonly actionParameters: { uri: { path: { expression: string } } };
}

/** Evaluates an expression in Cloudflare's rules language, as far as the example uses the language. */
function evaluate(expression: string, host: string, path: string): unknown {
    const code = expression
        .replaceAll("http.request.uri.path.extension", "extension")
        .replaceAll("http.request.uri.path", "path")
        .replaceAll("http.host", "host")
        .replace(/\b(and|not|eq|ne)\b/g, (word) => ({ and: "&&", not: "!", eq: "===", ne: "!==" })[word]!);
    const scope = {
        host,
        path,
        extension: /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "",
        starts_with: (text: string, start: string) => text.startsWith(start),
        ends_with: (text: string, end: string) => text.endsWith(end),
        concat: (...parts: string[]) => parts.join(""),
    };
    // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call
    return new Function(...Object.keys(scope), `return ${code};`)(...Object.values(scope));
}

describe("The example for Cloudflare", () => {
    const { inputs } = tryExample("cloudflare", {
        "a misspelled argument": {
            wrote: "bucketName: bucket.name",
            writes: "bucket: bucket.name",
            complaint: /'bucket'/,
        },
        "a rule without an expression": {
            wrote: "expression, actionParameters",
            writes: "actionParameters",
            complaint: /expression/,
        },
        "an unknown input of the site": { wrote: 'region: "auto"', writes: 'regions: "auto"', complaint: /regions/ },
    });

    it("publishes whole releases to the bucket through the account's S3 endpoint", () => {
        const account = "0123456789abcdef";
        assert.deepEqual(inputs("R2Bucket docs"), { accountId: account, name: "docs-site" });
        assert.deepEqual(inputs("BucketSite docs"), {
            jobId: "se_42",
            bucket: "docs-site",
            endpoint: `https://${account}.r2.cloudflarestorage.com`,
            region: "auto",
            prefix: "site/",
            switching: "releases",
            keep: 3,
        });
        assert.deepEqual(inputs("R2CustomDomain docs"), {
            accountId: account,
            bucketName: "docs-site",
            zoneId: "Z1",
            domain: "docs.example.com",
            enabled: true,
        });
    });

    const release = "/site/releases/4f2a9c1d4f2a9c1d";
    for (const [path, expected] of [
        ["/", `${release}/index.html`],
        ["/guide/", `${release}/guide/index.html`],
        ["/start", `${release}/start.html`],
        ["/v1.2/start", `${release}/v1.2/start.html`],
        ["/v1.2/", `${release}/v1.2/index.html`],
        ["/site.css", `${release}/site.css`],
        ["/.static-export/site.json", `${release}/.static-export/site.json`],
        [`${release}/site.css`, undefined],
    ] as const) {
        it(`routes requests for ${path} to ${expected ?? "that file"}`, () => {
            const { kind, phase, zoneId, rules } = inputs("Ruleset docs");
            assert.deepEqual({ kind, phase, zoneId }, { kind: "zone", phase: "http_request_transform", zoneId: "Z1" });
            const host = "docs.example.com";
            const applied = (rules as Rule[]).filter(({ expression }) => evaluate(expression, host, path));
            const results = applied.map(({ action, actionParameters }) => {
                assert.equal(action, "rewrite");
                return evaluate(actionParameters.uri.path.expression, host, path);
            });
            assert.deepEqual(results, expected === undefined ? [] : [expected]);
        });
    }

    it("does not affect other hosts in the zone", () => {
        const { rules } = inputs("Ruleset docs");
        assert.deepEqual(
            (rules as Rule[]).map(({ expression }) => evaluate(expression, "www.example.com", "/")),
            [false, false, false],
        );
    });
});
