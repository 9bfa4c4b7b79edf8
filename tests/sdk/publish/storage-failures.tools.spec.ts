import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { S3Target } from "@pulumi-static-export/sdk/publish";
import { type PrivateCertificate, privateCertificate } from "../../charts/support/private-certificate.js";
import { bucket, credentials, S3Server, useS3Server } from "../../provider/bundle-mirror/s3-server.js";
import { startPassingProxy } from "../support/passing-proxy.js";
import { SiteFixture } from "./support/site-fixture.js";

const site = { "index.html": "home", "a.html": "a", "b.html": "b", "c.html": "c" };
const errorBody = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`;

describe("Storage that refuses requests", () => {
    let fixture: SiteFixture;
    let server: Server;
    let answer: { code: string; status: number };

    before(async () => {
        server = createServer((request, response) => {
            request.resume().on("end", () => {
                response.writeHead(answer.status, { "content-type": "application/xml" }).end(errorBody(answer.code));
            });
        });
        await once(server.listen(0, "127.0.0.1"), "listening");
    });
    after(() => server.close().closeAllConnections());
    beforeEach(async () => (fixture = await SiteFixture.create()));
    afterEach(() => fixture.remove());

    for (const [what, code, status, advice] of [
        ["because the bucket does not exist", "NoSuchBucket", 404, /Create the bucket first, and check its name/],
        ["because the bucket belongs to somebody else", "AccessDenied", 403, /Allow these credentials s3:GetObject/],
        ["because the bucket is in another region", "PermanentRedirect", 301, /Set the region of the bucket/],
        ["because the region is wrong", "AuthorizationHeaderMalformed", 400, /Set the region of the bucket/],
        [
            "because the credentials have expired",
            "ExpiredToken",
            400,
            /credentials have expired. .* publish again to continue/,
        ],
        ["because the key is wrong", "SignatureDoesNotMatch", 403, /secret key does not belong to the access key/],
        ["because the clock is wrong", "RequestTimeTooSkewed", 403, /Set the clock of this machine/],
        ["a header", "InvalidArgument", 400, /does not accept a header or a name: .* another cacheControl/],
        [
            "a file and a folder of one name",
            "ObjectParentIsFile",
            409,
            /cannot hold a file and a folder of the same name/,
        ],
        ["a header that is too long", "RequestHeaderSectionTooLarge", 400, /Set a shorter cacheControl/],
        ["a name that is too long", "KeyTooLongError", 400, /Choose a shorter prefix/],
        [
            "a name with characters that it does not allow",
            "InvalidObjectName",
            400,
            /does not accept a header or a name/,
        ],
    ] as const) {
        it(`is reported with the remedy: ${what}`, async () => {
            answer = { code, status };
            const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
            const target = await S3Target.open({ bucket, prefix: "", endpoint }, { ...credentials });
            try {
                await assert.rejects(fixture.publish(site, {}, target), (error: Error) => {
                    assert.equal(error.name, "StorageError");
                    assert.match(
                        error.message,
                        new RegExp(`^s3://${bucket}/\\S*: \\w+ failed \\(${code}, HTTP ${status}`),
                    );
                    assert.match(error.message, advice);
                    assert.ok(!error.message.includes(credentials.secretAccessKey));
                    return true;
                });
            } finally {
                target.close();
            }
        });
    }
});

describe("Storage with a certificate of a private authority", () => {
    let folder: string;
    let s3: S3Server;
    let certificate: PrivateCertificate;
    let fixture: SiteFixture;
    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "publish-spec-"));
        certificate = await privateCertificate(folder);
        s3 = await S3Server.start("127.0.0.1", certificate);
    });
    after(async () => {
        await s3.stop();
        await rm(folder, { recursive: true });
    });
    beforeEach(async () => (fixture = await SiteFixture.create()));
    afterEach(async () => {
        delete process.env["AWS_CA_BUNDLE"];
        await fixture.remove();
    });

    const open = () => S3Target.open({ bucket, prefix: "", endpoint: s3.endpoint }, { ...credentials });

    it("is refused, and the error names the variables for the authority", async () => {
        const target = await open();
        await assert.rejects(
            fixture.publish(site, {}, target),
            /DEPTH_ZERO_SELF_SIGNED_CERT.* certificate authority in NODE_EXTRA_CA_CERTS, or in AWS_CA_BUNDLE/,
        );
        target.close();
    });

    it("is trusted if AWS_CA_BUNDLE names the authority", async () => {
        process.env["AWS_CA_BUNDLE"] = certificate.file;
        const target = await open();
        assert.equal((await fixture.publish(site, {}, target)).sentFiles, 4);
        target.close();
    });

    it("is not asked if AWS_CA_BUNDLE names no file", async () => {
        process.env["AWS_CA_BUNDLE"] = join(folder, "none.pem");
        await assert.rejects(open(), /AWS_CA_BUNDLE names a file that cannot be read \(ENOENT\)/);
    });
});

describe("Storage that starts to refuse requests during a run", () => {
    const s3 = useS3Server();
    let fixture: SiteFixture;
    beforeEach(async () => (fixture = await SiteFixture.create()));
    afterEach(() => fixture.remove());

    it("loses nothing if the credentials expire, because the next run resumes", async () => {
        let hasExpired = false;
        const proxy = await startPassingProxy(s3().endpoint, (path) => {
            hasExpired ||= path.includes("/c.html");
            return hasExpired ? { status: 400, body: errorBody("ExpiredToken") } : undefined;
        });
        const target = await S3Target.open({ bucket, prefix: "", endpoint: proxy.endpoint });
        Object.assign(target, { concurrency: 1 });
        try {
            await assert.rejects(
                fixture.publish(site, {}, target),
                /ExpiredToken.*Renew them. .* publish again to continue/,
            );
            proxy.close();
            const renewed = await S3Target.open({ bucket, prefix: "", endpoint: s3().endpoint });
            await fixture.publish(site, {}, renewed);
            renewed.close();
            for (const [path, content] of Object.entries(site)) {
                assert.equal(String(await s3().read(path)), content);
            }
        } finally {
            target.close();
        }
    });

    it("receives redirects without an unsupported header, because the pages also redirect", async () => {
        const withRedirect = { ...site, "old.html": "moved", "static-export/redirects.map": '"/old" "/a";\n' };
        const refused: string[] = [];
        const proxy = await startPassingProxy(s3().endpoint, (path, headers) => {
            if (!headers.includes("x-amz-website-redirect-location")) {
                return undefined;
            }
            refused.push(path);
            return { status: 501, body: errorBody("NotImplemented") };
        });
        const target = await S3Target.open({ bucket, prefix: "", endpoint: proxy.endpoint });
        try {
            await fixture.publish(withRedirect, { jobId: "se_1" }, target);
            assert.equal(String(await s3().read("old.html")), "moved");
            const changed = { cacheControl: "max-age=1" };
            await fixture.publish(withRedirect, { jobId: "se_1", ...changed }, target);
            assert.ok(refused.length > 0);
        } finally {
            target.close();
            proxy.close();
        }
    });
});
