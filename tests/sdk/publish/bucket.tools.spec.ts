import assert from "node:assert/strict";
import { HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { type PublishRequest, S3Target, type SiteTarget } from "@pulumi-static-export/sdk/publish";
import { bucket, useS3Server } from "../../provider/bundle-mirror/s3-server.js";
import { startPassingProxy } from "../support/passing-proxy.js";
import { type Site, SiteFixture } from "./support/site-fixture.js";

const first: Site = {
    "index.html": "<h1>Home</h1>",
    "guide/naïve page.html": "ä",
    "guide/it's (new)!*.html": "special",
    "guide/intro.md": "# Intro",
    "old.html": "moved",
    "static-export/redirects.map": '"/old" "/guide/intro.md";\n"~^/x/(?<p1>.*)$" "/y/${p1}";\n',
    "site.0a1b2c3d.css": "body {}",
    html: "no page",
};

describe("Publishing to a bucket", () => {
    const s3 = useS3Server();
    let fixture: SiteFixture;
    let target: S3Target;

    beforeEach(async () => {
        fixture = await SiteFixture.create();
        target = await S3Target.open({ bucket, prefix: "docs/", endpoint: s3().endpoint });
    });
    afterEach(async () => {
        target.close();
        await fixture.remove();
    });

    const publish = (site: Site, request: Partial<PublishRequest> = {}, to: SiteTarget = target) =>
        fixture.publish(site, request, to);
    const head = (path: string) => s3().client.send(new HeadObjectCommand({ Bucket: bucket, Key: `docs/${path}` }));
    async function live(): Promise<Site> {
        const keys = (await s3().keys()).filter((key) => !key.startsWith("docs/.static-export/"));
        const read = async (key: string) => [key.replace("docs/", ""), String(await s3().read(key))] as const;
        return Object.fromEntries(await Promise.all(keys.map(read)));
    }

    it("stores each file with its type, cache time and redirect", async () => {
        await publish(first, { cacheControl: "max-age=60" });
        assert.deepEqual(await live(), first);
        const page = await head("guide/naïve page.html");
        assert.deepEqual([page.ContentType, page.CacheControl], ["text/html; charset=utf-8", "max-age=60"]);
        assert.equal((await head("html")).ContentType, "application/octet-stream");
        const asset = await head("site.0a1b2c3d.css");
        assert.equal(asset.ContentType, "text/css; charset=utf-8");
        assert.equal(asset.CacheControl, "public, max-age=31536000, immutable");
        assert.equal((await head("old.html")).WebsiteRedirectLocation, "/guide/intro.md");
    });

    it("stores pages and redirects at addresses without an extension if the host needs them", async () => {
        await publish(first, { cacheControl: "no-cache", addresses: "objects" });
        assert.equal((await head("old")).WebsiteRedirectLocation, "/guide/intro.md");
        assert.equal((await head("guide/naïve page")).ContentType, "text/html; charset=utf-8");
    });

    it("updates headers when they change, without uploading the files", async () => {
        await publish(first, { jobId: "se_1" });
        const { sentFiles, copiedFiles } = await publish({}, { jobId: "se_1", cacheControl: "no-store" });
        assert.deepEqual([sentFiles, copiedFiles], [0, 7]);
        assert.equal((await head("index.html")).CacheControl, "no-store");
        assert.equal((await head("old.html")).WebsiteRedirectLocation, "/guide/intro.md");
        assert.deepEqual(await live(), first);
    });

    it("makes at most 20 requests for one changed page, of which one lists files", async () => {
        await publish(first, { keep: 1 });
        const requests: string[] = [];
        const counted: SiteTarget = await S3Target.open({ bucket, prefix: "docs/", endpoint: s3().endpoint });
        const watched = new Proxy(counted, {
            get(whole, name) {
                const value: unknown = Reflect.get(whole, name, whole);
                return typeof value !== "function"
                    ? value
                    : (...values: unknown[]) => {
                          requests.push(String(name));
                          return (value as (...all: unknown[]) => unknown).apply(whole, values);
                      };
            },
        });
        await publish({ ...first, "index.html": "<h1>New</h1>" }, { keep: 1 }, watched);
        counted.close();
        assert.ok(requests.length <= 20, requests.join(" "));
        assert.deepEqual(requests.filter((name) => name === "list").length, 1);
    });

    it("does not list thousands of files of others inside its place", async () => {
        const put = (Key: string) => s3().client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: "log" }));
        const logs = Array.from({ length: 2100 }, (_, index) => `docs/logs/${10_000 + index}`);
        for (let start = 0; start < logs.length; start += 50) {
            await Promise.all(logs.slice(start, start + 50).map(put));
        }
        await publish(first, { adopt: true });
        const listings: string[] = [];
        const proxy = await startPassingProxy(s3().endpoint, (path) => {
            if (path.includes("list-type=2")) {
                listings.push(path);
            }
            return undefined;
        });
        const through = await S3Target.open({ bucket, prefix: "docs/", endpoint: proxy.endpoint });
        try {
            await publish({ ...first, "index.html": "new" }, {}, through);
            // The first page has files of the site, the second only logs, and the third begins behind the logs.
            assert.equal(listings.length, 3, listings.join("\n"));
            assert.equal((await publish({ ...first, "index.html": "new" }, {}, through)).steps.length, 0);
        } finally {
            through.close();
            proxy.close();
        }
    });

    it("retries a request if the storage was too busy", async () => {
        const refused = new Set<string>();
        const busy = await startPassingProxy(s3().endpoint, (url) => {
            const [path = ""] = url.split("?");
            if (!path.includes("/guide/") || refused.has(path)) {
                return undefined;
            }
            refused.add(path);
            return 503;
        });
        const through = await S3Target.open({ bucket, prefix: "docs/", endpoint: busy.endpoint });
        try {
            await publish(first, {}, through);
            assert.deepEqual(await live(), first);
            assert.equal(refused.size, 3);
        } finally {
            through.close();
            busy.close();
        }
    });

    it("warns once if the storage does not support conditional writes", async () => {
        const without = Object.assign(await S3Target.open({ bucket, prefix: "docs/", endpoint: s3().endpoint }), {
            findConditionalWrites: () => Promise.resolve(false),
        });
        await publish(first, {}, without);
        await publish({ ...first, "index.html": "new" }, {}, without);
        const lines = fixture.logged.filter((line) => line.includes("does not support conditional writes"));
        assert.equal(lines.length, 1);
        assert.equal((await live())["index.html"], "new");
        without.close();
    });

    it("names the bucket and the remedy if the bucket does not exist", async () => {
        const missing = await S3Target.open({ bucket: "no-such-bucket", prefix: "", endpoint: s3().endpoint });
        await assert.rejects(
            publish(first, {}, missing),
            /^StorageError: s3:\/\/no-such-bucket\/: \w+ failed \(NoSuchBucket.*Create the bucket first/,
        );
        missing.close();
    });

    it("reports wrong keys without showing them", async () => {
        const keys = { accessKeyId: "unknown-key", secretAccessKey: "s3cr3t-of-nobody" };
        const location = { bucket, prefix: "docs/", endpoint: s3().endpoint };
        const stranger = await S3Target.open(location, keys);
        await assert.rejects(publish(first, {}, stranger), (error: Error) => {
            assert.match(error.message, /The storage does not know these credentials/);
            assert.ok(!error.message.includes("s3cr3t"));
            return true;
        });
        stranger.close();
    });
});
