import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import {
    CloudFrontClient,
    CreateDistributionCommand,
    GetInvalidationCommand,
    ListInvalidationsCommand,
} from "@aws-sdk/client-cloudfront";
import { ensurePythonPrograms, freePort, moto } from "@pulumi-static-export/toolchain";
import { purgeCloudFront } from "../../../sdk/src/publish/purge/cloud-front.js";

const credentials = { accessKeyId: "cdn-spec", secretAccessKey: "s3cr3t-of-the-cdn-spec" };

/** moto emulates AWS's API. */
describe("Purging CloudFront", function () {
    // The first run installs moto.
    this.timeout(600_000);
    const signal = new AbortController().signal;
    let server: ChildProcess | undefined;
    let client: CloudFrontClient;
    let purge: Parameters<typeof purgeCloudFront>[0];

    before(async () => {
        const port = await freePort();
        const program = join(await ensurePythonPrograms(moto), "moto_server");
        server = spawn(program, ["-H", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
        const endpoint = `http://127.0.0.1:${port}`;
        client = new CloudFrontClient({
            endpoint,
            region: "us-east-1",
            credentials: { ...credentials },
            maxAttempts: 60,
        });
        const origin = {
            Id: "bucket",
            DomainName: "docs.s3.amazonaws.com",
            S3OriginConfig: { OriginAccessIdentity: "" },
        };
        const DistributionConfig = {
            CallerReference: "spec",
            Comment: "",
            Enabled: true,
            Origins: { Quantity: 1, Items: [origin] },
            DefaultCacheBehavior: { TargetOriginId: "bucket", ViewerProtocolPolicy: "https-only" as const },
        };
        const created = await client.send(new CreateDistributionCommand({ DistributionConfig }));
        purge = {
            distributionId: created.Distribution?.Id ?? "",
            credentials: { ...credentials },
            endpoint,
            wait: false,
        };
    });
    after(() => {
        client.destroy();
        server?.kill();
    });

    it("invalidates the changed addresses with one request, with a pattern for names that CloudFront cannot take", async () => {
        const addresses = ["/a.html", "/js/vendors~about.js", "/js/vendors~", "/b/c*d", "/na%C3%AFve", "/*"];
        await purgeCloudFront(purge, addresses, signal);
        const { distributionId: DistributionId } = purge;
        const { InvalidationList } = await client.send(new ListInvalidationsCommand({ DistributionId }));
        assert.equal(InvalidationList?.Items?.length, 1);
        const { Invalidation } = await client.send(
            new GetInvalidationCommand({ DistributionId, Id: InvalidationList?.Items?.[0]?.Id }),
        );
        assert.deepEqual(Invalidation?.InvalidationBatch?.Paths?.Items, [
            "/a.html",
            "/js/vendors*",
            "/b/c*",
            "/na%C3%AFve",
            "/*",
        ]);
    });

    it("names a missing distribution and the settings to check, without showing the keys", async () => {
        await assert.rejects(purgeCloudFront({ ...purge, distributionId: "E0" }, ["/*"], signal), (error: Error) => {
            assert.match(error.message, /^CloudFront distribution E0 could not be purged \(NoSuchDistribution/);
            assert.match(error.message, /Check the distribution's id.*purges it without uploading again/);
            assert.ok(!error.message.includes("s3cr3t"));
            return true;
        });
    });
});
