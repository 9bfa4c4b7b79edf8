import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as sdk from "@aws-sdk/client-s3";
import { createBucketClient, type ReachedBucket } from "@pulumi-static-export/contract/bucket";

describe("The client of a bucket", () => {
    const environment = { ...process.env };
    let folder: string;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "bucket-client-"));
        for (const name of Object.keys(process.env).filter((each) => /^AWS_|_proxy$/i.test(each))) {
            delete process.env[name];
        }
        process.env.AWS_CONFIG_FILE = join(folder, "config");
        writeFileSync(join(folder, "config"), "[default]\nregion = eu-west-3\n[profile docs]\nregion = eu-north-1\n");
    });
    afterEach(() => {
        for (const name of Object.keys(process.env)) {
            delete process.env[name];
        }
        Object.assign(process.env, environment);
        rmSync(folder, { recursive: true });
    });

    async function open(location: Partial<ReachedBucket> = {}) {
        const client = await createBucketClient(sdk, { bucket: "docs", ...location });
        const { region, endpoint, forcePathStyle } = client.config;
        const { hostname } = (await endpoint?.()) ?? {};
        client.destroy();
        return { region: await region(), hostname, forcePathStyle };
    }

    it("takes the region from the location, the environment or the AWS profile, in this order", async () => {
        assert.equal((await open()).region, "eu-west-3");
        process.env.AWS_PROFILE = "docs";
        assert.equal((await open()).region, "eu-north-1");
        process.env.AWS_DEFAULT_REGION = "us-west-1";
        assert.equal((await open()).region, "us-west-1");
        process.env.AWS_REGION = "us-west-2";
        assert.equal((await open()).region, "us-west-2");
        assert.equal((await open({ region: "ap-south-1" })).region, "ap-south-1");
    });

    it("uses us-east-1 without any of these", async () => {
        writeFileSync(join(folder, "config"), "");
        assert.equal((await open()).region, "us-east-1");
    });

    for (const name of ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"]) {
        it(`uses the endpoint in ${name} like one of the location, with the bucket in the path`, async () => {
            process.env[name] = "https://storage.example.com";
            assert.deepEqual(await open({ region: "r" }), {
                region: "r",
                hostname: "storage.example.com",
                forcePathStyle: true,
            });
            const other = await open({ region: "r", endpoint: "https://other.example.com", pathStyle: false });
            assert.deepEqual([other.hostname, other.forcePathStyle], ["other.example.com", false]);
            process.env.AWS_IGNORE_CONFIGURED_ENDPOINT_URLS = "true";
            assert.equal((await open({ region: "r" })).forcePathStyle, false);
        });
    }

    it("uses the endpoint of an AWS profile, with the bucket in the host name", async () => {
        writeFileSync(join(folder, "config"), "[default]\nendpoint_url = https://storage.example.com\n");
        Object.assign(process.env, { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" });
        const hosts: string[] = [];
        const requestHandler = {
            handle: ({ hostname }: { hostname: string }) => {
                hosts.push(hostname);
                return Promise.reject(new Error("not sent"));
            },
        };
        const client = await createBucketClient(
            sdk,
            { bucket: "docs", region: "r" },
            { requestHandler, maxAttempts: 1 },
        );
        await assert.rejects(client.send(new sdk.HeadBucketCommand({ Bucket: "docs" })), /not sent/);
        client.destroy();
        assert.deepEqual(hosts, ["docs.storage.example.com"]);
    });

    it("asks for the proxy of that endpoint", async () => {
        Object.assign(process.env, {
            AWS_ENDPOINT_URL_S3: "https://storage.example.com",
            HTTPS_PROXY: "not a proxy://",
            NO_PROXY: "storage.example.com",
        });
        await open({ region: "r" });
        process.env["NO_PROXY"] = "s3.r.amazonaws.com";
        await assert.rejects(open({ region: "r" }), { name: "ProxySettingError" });
    });

    it("leaves the checksums to AWS_REQUEST_CHECKSUM_CALCULATION if it is set", async () => {
        const calculation = async () => {
            const client = await createBucketClient(sdk, { bucket: "docs" });
            client.destroy();
            return client.config.requestChecksumCalculation();
        };
        assert.equal(await calculation(), "WHEN_REQUIRED");
        process.env.AWS_REQUEST_CHECKSUM_CALCULATION = "WHEN_SUPPORTED";
        assert.equal(await calculation(), "WHEN_SUPPORTED");
    });

    it("refuses a key with a line break before it connects", async () => {
        const client = await createBucketClient(
            sdk,
            { bucket: "docs", region: "r", endpoint: "http://127.0.0.1:9" },
            { credentials: { accessKeyId: "AKIAEXAMPLE\n", secretAccessKey: "secret" } },
        );
        await assert.rejects(client.send(new sdk.ListObjectsV2Command({ Bucket: "docs" })), {
            code: "ERR_INVALID_CHAR",
        });
        client.destroy();
    });
});
