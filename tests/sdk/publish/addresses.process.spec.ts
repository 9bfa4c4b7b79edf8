import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Addresses, PublishRequest, SiteTarget } from "@pulumi-static-export/sdk/publish";
import { Inventory } from "../../../sdk/src/publish/records/inventory.js";
import { findRefusedByHosts, pagesLimits } from "../../../sdk/src/publish/site/host-limits.js";
import { hostFiles } from "../../../sdk/src/publish/site/host-files.js";
import { type Site, SiteFixture, watchTarget } from "./support/site-fixture.js";

const map = '"/old" "/guide/intro";\n"~^/v1/(?<p1>.*)$" "/guide/${p1}";\n';
const site: Site = {
    "index.html": "home",
    "404.html": "missing",
    "guide/index.html": "guide",
    "guide/intro.html": "intro",
    "old.html": "moved",
    "site.0a1b2c3d.css": "body {}",
    "static-export/redirects.map": map,
};

describe("Addresses without an extension", () => {
    let fixture: SiteFixture;
    beforeEach(async () => (fixture = await SiteFixture.create()));
    afterEach(() => fixture.remove());

    const publish = (addresses: Addresses, files: Site, target?: SiteTarget, request: Partial<PublishRequest> = {}) =>
        fixture.publish(files, { cacheControl: "no-cache", addresses, ...request }, target);
    /** Returns a folder that stores headers, like a bucket. */
    const bucket = async () => Object.assign(await fixture.openTarget(), { hasHeaders: true });

    it("are additional objects for pages and redirects, but not for folders or the not-found page", async () => {
        await publish("objects", site, await bucket());
        assert.deepEqual(await fixture.live(), { ...site, "guide/intro": "intro", old: "moved" });
    });

    it("receive the headers of their pages, and are published with the pages after the assets", async () => {
        const sent: string[] = [];
        const target = await bucket();
        const headers = new Map<string, string>();
        const watched = watchTarget(target, (operation, path) => {
            sent.push(...(operation === "send" ? [path] : []));
        });
        const { send } = target;
        target.send = (path, localPath, file, signal) => {
            headers.set(path, file.headers);
            return send.call(target, path, localPath, file, signal);
        };
        await publish("objects", site, watched);
        assert.equal(headers.get("old"), headers.get("old.html"));
        assert.match(headers.get("old") ?? "", /text\/html.*"redirect":"\/guide\/intro.html"/);
        assert.ok(sent.indexOf("guide/intro") > sent.indexOf("site.0a1b2c3d.css"), sent.join(" "));
        const { steps } = await publish("objects", { ...site, "guide/intro.html": "new" }, await bucket());
        assert.deepEqual(
            steps.map(({ phase, path }) => `${phase} ${path}`),
            ["pages guide/intro", "pages guide/intro.html"],
        );
    });

    it("receive their pages' new headers when a job is published again", async () => {
        await publish("objects", site, await bucket(), { jobId: "se_1" });
        const changed = { cacheControl: "no-store", addresses: "objects" } as const;
        const { steps } = await publish("objects", site, await bucket(), { jobId: "se_1", ...changed });
        assert.ok(steps.some(({ phase, path }) => phase === "pages" && path === "guide/intro"));
        assert.equal(fixture.opened, 1);
    });

    it("are left to the host by default, and again after the setting is changed back", async () => {
        await publish("objects", site, await bucket(), { jobId: "se_1" });
        await publish("files", site, await bucket(), { jobId: "se_1" });
        assert.deepEqual(await fixture.live(), site);
    });

    it("never replace a file", async () => {
        const files = { ...site, "guide/intro": "mine" };
        await publish("objects", files, await bucket());
        assert.equal((await fixture.live())["guide/intro"], "mine");
    });

    it("are rejected for hosts that do not support them", async () => {
        await assert.rejects(publish("objects", site), /addresses "objects" needs a bucket/);
        await assert.rejects(publish("rules", site, await bucket()), /addresses "rules" needs a folder/);
        const request = { access: "edge", switching: "releases" } as const;
        await assert.rejects(publish("objects", site, await bucket(), request), /access.json does not name/);
    });

    it("are written as rules to _redirects and _headers in a folder, unless the site has these files", async () => {
        await publish("rules", { ...site, _headers: "mine" });
        const { _redirects, _headers } = await fixture.live();
        assert.deepEqual([_redirects, _headers], ["/old /guide/intro 301\n/v1/* /guide/:splat 301\n", "mine"]);
        await publish("files", site);
        assert.deepEqual(await fixture.live(), site);
    });
});

describe("Files that hosts with rules refuse", () => {
    const warningsFor = async (addresses: "rules" | "files") => {
        const fixture = await SiteFixture.create();
        try {
            const files = { "index.html": "home", "h#i?.html": "hi", "film.mp4": "x".repeat(25 * 1024 ** 2 + 1) };
            await fixture.publish(files, { cacheControl: "no-cache", addresses });
            return fixture.logged.filter((line) => line.includes("refuses"));
        } finally {
            await fixture.remove();
        }
    };

    it("are named in warnings", async () => {
        assert.deepEqual(await warningsFor("rules"), [
            'Netlify refuses names with # or ?: 1 file, such as "h#i?.html". Rename them.',
            'Cloudflare Pages refuses files of more than 25 MiB: 1 file, such as "film.mp4". Link to a file in a bucket ' +
                "instead, or publish to a bucket, such as R2 with examples/cloudflare/worker.js.",
        ]);
    });

    it("are published without a warning for other hosts", async () => {
        assert.deepEqual(await warningsFor("files"), []);
    });
});

describe("Redirects that Cloudflare Pages does not take", () => {
    const warningsFor = async (lines: readonly string[]) => {
        const fixture = await SiteFixture.create();
        try {
            const files = { "index.html": "home", "static-export/redirects.map": `${lines.join("\n")}\n` };
            await fixture.publish(files, { cacheControl: "no-cache", addresses: "rules" });
            return fixture.logged;
        } finally {
            await fixture.remove();
        }
    };
    const plain = (count: number) => Array.from({ length: count }, (_, index) => `"/old-${index}" "/new";`);
    const patterns = (count: number) =>
        Array.from({ length: count }, (_, index) => `"~^/v${index}/(?<p1>.*)$" "/new/\${p1}";`);

    it("are named in warnings with what to do", async () => {
        const long = `"/${"long-".repeat(200)}" "/new";`;
        const warnings = await warningsFor([...plain(2001), ...patterns(101), long]);
        assert.match(warnings[0]!, /^Cloudflare Pages takes 2000 redirects without patterns, and the site has 2002\./);
        assert.match(
            warnings[1]!,
            /^Cloudflare Pages takes 100 redirects with patterns, and the site has 101\. Replace/,
        );
        assert.match(
            warnings[2]!,
            /^Cloudflare Pages ignores redirects of more than 1000 characters: the site has 1\./,
        );
        assert.equal(warnings.length, 3);
    });

    it("cause no warning up to the limits", async () => {
        assert.deepEqual(await warningsFor([...plain(2000), ...patterns(100)]), []);
    });

    it("and its other limits are in the guide", async () => {
        const guide = await readFile(new URL("../../../docs/guides/any-static-host.md", import.meta.url), "utf8");
        for (const limit of Object.values(pagesLimits)) {
            assert.match(guide, new RegExp(`\\| ${limit.toLocaleString("en-US")}\\b`));
        }
    });
});

describe("A site with more files than Cloudflare Pages takes", () => {
    const fill = (count: number) => {
        const files = new Inventory(count);
        for (let index = 0; index < count; index += 1) {
            files.set(`${index}.html`, { digest: undefined, sizeBytes: 1, headers: "" });
        }
        return files;
    };

    it("is reported with another place", () => {
        const [warning, ...others] = findRefusedByHosts(fill(20_001));
        assert.match(warning!, /takes 20000 files \(100000 on paid plans\), and the site has 20001\. .* a bucket/);
        assert.deepEqual([others, findRefusedByHosts(fill(20_000))], [[], []]);
    });
});

describe("The files _redirects and _headers", () => {
    const redirectsOf = (text: string) => String(hostFiles(text, [], "max-age=1").get("_redirects") ?? "");

    it("list plain addresses first, and convert patterns to named placeholders", () => {
        const lines = ['"~^/a/(?<p1>[^/]+)/(?<p2>.*)$" "https://x.example/${p2}/${p1}";', '"/b" "/c#d";'];
        const expected = "/b /c#d 301\n/a/:p1/* https://x.example/:splat/:p1 301\n";
        assert.equal(redirectsOf(lines.join("\n")), expected);
    });

    it("list an address that differs from another only in case, without regular-expression escapes", () => {
        assert.equal(redirectsOf('"~^/Old\\.page$" "/new";'), "/Old.page /new 301\n");
    });

    it("omit patterns that the hosts do not support, and lines that the exporter did not write", () => {
        const within = '"~^/page-(?<p1>[^/]+)$" "/${p1}";';
        const others = [
            within,
            '"~^/a/(?<p1>.*)/edit$" "/b";',
            '"/a b" "/c";',
            '"/a" "javascript:x";',
            "include /etc/passwd;",
        ];
        assert.equal(redirectsOf(others.join("\n")), "");
    });

    it("let browsers cache files with a digest, up to Cloudflare's maximum number of rules", () => {
        const paths = Array.from({ length: 101 }, (_, index) => `a b/${index}.0a1b2c3d.css`);
        const text = String(hostFiles("", paths, "max-age=1").get("_headers"));
        assert.ok(text.startsWith("/a%20b/0.0a1b2c3d.css\n  Cache-Control: max-age=1\n"), text);
        assert.equal(text.match(/Cache-Control/g)?.length, 100);
    });
});
