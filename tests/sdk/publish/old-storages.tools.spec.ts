import assert from "node:assert/strict";
import { S3Target } from "@pulumi-static-export/sdk/publish";
import { bucket, useS3Server } from "../../provider/bundle-mirror/s3-server.js";
import { type PassingProxy, startPassingProxy } from "../support/passing-proxy.js";
import { SiteFixture } from "./support/site-fixture.js";

const site = { "index.html": "home", "a.html": "a", "b.html": "b" };
const smaller = { "index.html": "new" };
const errorBody = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`;

/** A rule of a storage, played in front of a real S3 server. */
interface StorageRule {
    /** The behaviour, and the storages that have it. */
    readonly name: string;
    /** Returns the error that the storage answers with. */
    readonly refuse: (path: string, headers: ReadonlyMap<string, string>) => readonly [number, string] | undefined;
}

const isBatch = (path: string) => /[?&]delete(=|&|$)/.test(path);

const rules: readonly StorageRule[] = [
    {
        name: "wants Content-MD5 for DeleteObjects, as MinIO before 2025 and Oracle do",
        refuse: (path, headers) =>
            isBatch(path) && !headers.has("content-md5") ? [400, "MissingContentMD5"] : undefined,
    },
    {
        name: "refuses DeleteObjects as a malformed request",
        refuse: (path) => (isBatch(path) ? [400, "MalformedXML"] : undefined),
    },
    {
        name: "does not have DeleteObjects, as Google Cloud Storage",
        refuse: (path) => (isBatch(path) ? [501, "NotImplemented"] : undefined),
    },
    {
        name: "has Object Lock, and wants a checksum for each object",
        refuse: (path, headers) => {
            const isChecked = headers.has("content-md5") || [...headers.keys()].some((name) => /checksum/.test(name));
            const isUpload = headers.has("x-amz-content-sha256") && Number(headers.get("content-length") ?? 0) > 0;
            return isUpload && !isBatch(path) && !isChecked ? [400, "InvalidRequest"] : undefined;
        },
    },
    {
        name: "refuses the checksums of newer SDKs",
        refuse: (_path, headers) =>
            [...headers.keys()].some((name) => /^x-amz-(sdk-)?checksum/.test(name))
                ? [400, "InvalidArgument"]
                : undefined,
    },
];

describe("A storage", () => {
    const s3 = useS3Server();
    let fixture: SiteFixture;
    let proxy: PassingProxy;
    beforeEach(async () => (fixture = await SiteFixture.create()));
    afterEach(async () => {
        proxy.close();
        await fixture.remove();
    });

    const open = async (refuse: StorageRule["refuse"]) => {
        proxy = await startPassingProxy(s3().endpoint, (path, raw) => {
            const pairs = raw.flatMap((name, index) =>
                index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1]!]] : [],
            );
            const refusal = refuse(path, new Map(pairs as [string, string][]));
            return refusal && { status: refusal[0], body: errorBody(refusal[1]) };
        });
        return S3Target.open({ bucket, prefix: "docs/", endpoint: proxy.endpoint });
    };

    for (const { name, refuse } of rules) {
        it(`that ${name} takes every update`, async () => {
            const target = await open(refuse);
            try {
                await fixture.publish(site, {}, target);
                const { removedFiles } = await fixture.publish(smaller, {}, target);
                assert.equal(removedFiles, 2);
                const keys = (await s3().keys()).filter((key) => !key.includes(".static-export/"));
                assert.deepEqual(keys, ["docs/index.html"]);
                assert.equal(String(await s3().read("docs/index.html")), "new");
                assert.deepEqual(fixture.logged, []);
            } finally {
                target.close();
            }
        });
    }

    it("that answers 503 once for each large file gets the file again", async () => {
        const refused = new Set<string>();
        const target = await open((path) => {
            const isFirst = path.includes("film.mp4") && !refused.has(path);
            refused.add(path);
            return isFirst ? [503, "SlowDown"] : undefined;
        });
        try {
            const film = "x".repeat(9 * 1024 * 1024);
            await fixture.publish({ ...site, "film.mp4": film }, {}, target);
            assert.equal((await s3().read("docs/film.mp4")).length, film.length);
        } finally {
            target.close();
        }
    });

    for (const code of ["ConditionalRequestConflict", "OperationAborted"]) {
        it(`that answers 409 ${code} once to each request is asked again`, async () => {
            const refused = new Set<string>();
            const target = await open((path) => {
                const isFirst = !refused.has(path) && /site\.json|a\.html/.test(path);
                refused.add(path);
                return isFirst ? [409, code] : undefined;
            });
            try {
                await fixture.publish(site, {}, target);
                assert.equal(String(await s3().read("docs/a.html")), "a");
            } finally {
                target.close();
            }
        });
    }

    it("that answers 404 without a reason takes the first site", async () => {
        let isFirst = true;
        proxy = await startPassingProxy(s3().endpoint, (path) => {
            const isRead = isFirst && path.includes("site.json");
            isFirst &&= !isRead;
            return isRead ? { status: 404, body: "" } : undefined;
        });
        const target = await S3Target.open({ bucket, prefix: "docs/", endpoint: proxy.endpoint });
        try {
            assert.equal((await fixture.publish(site, {}, target)).sentFiles, 3);
        } finally {
            target.close();
        }
    });

    it("behind a proxy that makes ETags weak takes every update", async () => {
        const weaken = (headers: string[]) =>
            headers.map((text, index) => (headers[index - 1]?.toLowerCase() === "etag" ? `W/${text}` : text));
        proxy = await startPassingProxy(s3().endpoint, undefined, weaken);
        const target = await S3Target.open({ bucket, prefix: "docs/", endpoint: proxy.endpoint });
        try {
            for (const content of [site, smaller, site]) {
                await fixture.publish(content, {}, target);
            }
            assert.equal(String(await s3().read("docs/index.html")), "home");
        } finally {
            target.close();
        }
    });

    it("whose policy demands encryption gets the headers that the location names", async () => {
        const refuse: StorageRule["refuse"] = (path, headers) => {
            const isWrite = Number(headers.get("content-length") ?? 0) > 0 && !isBatch(path);
            const isEncrypted =
                headers.get("x-amz-server-side-encryption") === "aws:kms" &&
                headers.get("x-amz-server-side-encryption-aws-kms-key-id") === "key-1";
            return isWrite && !isEncrypted ? [403, "AccessDenied"] : undefined;
        };
        const plain = await open(refuse);
        await assert.rejects(fixture.publish(site, {}, plain), /AccessDenied/);
        plain.close();
        const location = { bucket, prefix: "docs/", endpoint: proxy.endpoint };
        const target = await S3Target.open({ ...location, encryption: "key-1" });
        try {
            assert.equal((await fixture.publish(site, {}, target)).sentFiles, 3);
        } finally {
            target.close();
        }
    });

    for (const [what, code] of [
        ["does not allow removals", "AccessDenied"],
        ["has a retention time", "ObjectLocked"],
    ] as const) {
        it(`that ${what} shows the new release, and is asked again`, async () => {
            let isRefusing = false;
            const target = await open((path) => {
                const isRemoval = isBatch(path) || /x-id=DeleteObject$/.test(path);
                return isRefusing && isRemoval ? [403, code] : undefined;
            });
            try {
                await fixture.publish(site, {}, target);
                isRefusing = true;
                await fixture.publish(smaller, {}, target);
                assert.equal(String(await s3().read("docs/index.html")), "new");
                const warning = fixture.logged.find((line) => line.includes("the release is live")) ?? "";
                assert.match(warning, new RegExp(`2 files .* removed: "a.html", "b.html".*${code}`));
                isRefusing = false;
                assert.equal((await fixture.publish(smaller, {}, target)).removedFiles, 2);
            } finally {
                target.close();
            }
        });
    }
});
