import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Declared } from "./support/cloud-example.js";
import { tryExample } from "./support/example-specs.js";
import { toTypeScript } from "./support/yaml-program.js";

describe("The example for AWS", () => {
    const example = tryExample(
        "aws",
        {
            "a misspelled argument": {
                wrote: "blockPublicAcls:",
                writes: "blockPublicAcl:",
                complaint: /blockPublicAcl/,
            },
            "an unknown output": {
                wrote: "keyValueStoreArn: store.arn",
                writes: "keyValueStoreArn: store.urn.arn",
                complaint: /'arn'/,
            },
            "a number for a text": {
                wrote: "errorCode: 403",
                writes: 'errorCode: "403"',
                complaint: /'string' is not assignable to type .*number/,
            },
            "an unknown way to switch": { wrote: '"releases"', writes: '"release"', complaint: /"release"/ },
        },
        async (opened) => {
            const yaml = await opened.read("yaml/Pulumi.yaml");
            await opened.write("yaml.ts", toTypeScript(yaml));
            await opened.write("wrong-yaml.ts", toTypeScript(yaml.replace("eventType:", "event:")));
            return ["yaml.ts", "wrong-yaml.ts"];
        },
    );
    const { inputs } = example;

    it("lets only the distribution read the bucket", () => {
        assert.deepEqual(inputs("BucketPublicAccessBlock docs"), {
            bucket: "docs-1a2b3c",
            blockPublicAcls: true,
            blockPublicPolicy: true,
            ignorePublicAcls: true,
            restrictPublicBuckets: true,
        });
        const { bucket, policy } = inputs("BucketPolicy docs");
        assert.equal(bucket, "docs-1a2b3c");
        assert.deepEqual((JSON.parse(String(policy)) as { Statement: unknown }).Statement, [
            {
                Effect: "Allow",
                Principal: { Service: "cloudfront.amazonaws.com" },
                Action: "s3:GetObject",
                Resource: "arn:aws:s3:::docs-1a2b3c/*",
                Condition: { StringEquals: { "AWS:SourceArn": "arn:aws:cloudfront::1:distribution/E1" } },
            },
        ]);
    });

    it("publishes whole releases to the bucket, in the bucket's region", () => {
        assert.deepEqual(inputs("BucketSite docs"), {
            jobId: "se_42",
            bucket: "docs-1a2b3c",
            region: "eu-central-1",
            prefix: "site/",
            switching: "releases",
            keep: 3,
        });
    });

    it("writes the live release and the redirects to the store that the function reads", () => {
        const store = "arn:aws:cloudfront::1:key-value-store/1";
        assert.deepEqual(inputs("KeyvaluestoreKeysExclusive docs"), {
            keyValueStoreArn: store,
            resourceKeyValuePairs: [
                { key: "release", value: "site/releases/4f2a9c1d4f2a9c1d/" },
                { key: "redirect:/old", value: "/new" },
            ],
        });
        assert.deepEqual(inputs("Function docs"), {
            runtime: "cloudfront-js-2.0",
            code: readFileSync("examples/aws/edge.js", "utf8"),
            keyValueStoreAssociations: [store],
            publish: true,
        });
    });

    it("serves the bucket with the function, a valid certificate and a page for missing addresses", () => {
        const { origins, defaultCacheBehavior, customErrorResponses, viewerCertificate, aliases } = inputs(
            "Distribution docs",
        ) as Record<string, Record<string, unknown>>;
        assert.deepEqual(aliases, ["docs.example.com"]);
        assert.deepEqual(origins, [
            {
                originId: defaultCacheBehavior!["targetOriginId"],
                domainName: "docs-1a2b3c.s3.eu-central-1.amazonaws.com",
                originAccessControlId: "docs-id",
            },
        ]);
        assert.deepEqual(defaultCacheBehavior!["functionAssociations"], [
            { eventType: "viewer-request", functionArn: "arn:aws:cloudfront::1:function/docs" },
        ]);
        const { bucket, key } = inputs("BucketObjectv2 missing");
        assert.equal(bucket, "docs-1a2b3c");
        assert.deepEqual(customErrorResponses, [
            { errorCode: 403, responseCode: 404, responsePagePath: `/${String(key)}` },
        ]);
        assert.equal(viewerCertificate!["acmCertificateArn"], inputs("CertificateValidation docs")["certificateArn"]);
        assert.equal(inputs("Certificate docs")["region"], "us-east-1");
        assert.equal(inputs("CertificateValidation docs")["region"], "us-east-1");
    });

    it("validates the domain, and points it to the distribution", () => {
        assert.deepEqual(inputs("Record proof"), {
            zoneId: "Z1",
            name: "_1.docs.example.com.",
            type: "CNAME",
            records: ["_2.aws."],
            ttl: 300,
        });
        for (const type of ["A", "AAAA"]) {
            assert.deepEqual(inputs(`Record ${type}`), {
                zoneId: "Z1",
                name: "docs.example.com",
                type,
                aliases: [{ name: "d1.cloudfront.net", zoneId: "Z2FDTNDATAQYW2", evaluateTargetHealth: false }],
            });
        }
    });

    it("declares the same resources in YAML, except redirects", async () => {
        assert.equal(example.errors("yaml.ts"), "");
        const keysOf = (declared: readonly Declared[]) =>
            new Map(declared.map(({ type, name, inputs: given }) => [`${type} ${name}`, given]));
        const [ours, yaml] = [keysOf(example.declared), keysOf(await example.run("yaml.js"))];
        assert.deepEqual([...yaml.keys()].sort(), [...ours.keys()].sort());
        for (const [key, given] of yaml) {
            const expected = ours.get(key)!;
            const pairs = expected["resourceKeyValuePairs"] as unknown[] | undefined;
            const plain = pairs === undefined ? expected : { ...expected, resourceKeyValuePairs: pairs.slice(0, 1) };
            assert.deepEqual(given, plain);
        }
    });

    it("reports a mistake in the YAML", () => {
        assert.match(example.errors("wrong-yaml.ts"), /"event"/);
    });
});
