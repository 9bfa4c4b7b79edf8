import assert from "node:assert/strict";
import { codeBlocks } from "../support/documents.js";
import { CloudExample, type Declared } from "./support/cloud-example.js";

const blocks = codeBlocks("docs/guides/any-static-host.md");
const program = blocks.find(({ text }) => text.includes('from "@pulumi/aws"'))!.text;
const edge = blocks.find(({ title }) => title === "add-extension.js")!.text;

describe("The program in docs/guides/any-static-host.md", function () {
    this.timeout(120_000);
    let example: CloudExample;
    let errors: readonly string[];
    let declared: readonly Declared[];

    before(async () => {
        example = await CloudExample.open("aws");
        await example.write("index.ts", program);
        await example.write("wrong.ts", program.replace("originAccessControlId:", "originAccessControl:"));
        await example.write("add-extension.js", edge);
        errors = await example.compile("index.ts", "wrong.ts");
        declared = await example.run({ version: "1" });
    });
    after(() => example.remove());

    const inputs = (type: string) => {
        const found = declared.filter((each) => each.type.endsWith(`:${type}`));
        assert.equal(found.length, 1, `${type} of ${declared.map((each) => each.type).join(", ")}`);
        return found[0]!.inputs;
    };

    it("uses the types of the cloud's SDK, which detect a misspelled argument", () => {
        assert.deepEqual(
            errors.filter((line) => line.startsWith("index.ts(")),
            [],
        );
        assert.match(errors.join("\n"), /wrong\.ts.*originAccessControl/);
    });

    it("publishes the export to the folder of the bucket that CloudFront serves", () => {
        const { bucket, prefix, jobId, region } = inputs("BucketSite");
        assert.deepEqual([bucket, prefix, jobId, region], ["docs-1a2b3c", "site/", "se_42", "eu-central-1"]);
        const { origins } = inputs("Distribution") as { origins: readonly Record<string, unknown>[] };
        assert.deepEqual(origins, [
            {
                originId: "bucket",
                domainName: "docs-1a2b3c.s3.eu-central-1.amazonaws.com",
                originPath: "/site",
                originAccessControlId: "docs-id",
            },
        ]);
    });

    it("lets only the distribution read the bucket, and runs the guide's function", () => {
        const { Statement } = JSON.parse(String(inputs("BucketPolicy")["policy"])) as { Statement: unknown };
        assert.deepEqual(Statement, [
            {
                Effect: "Allow",
                Principal: { Service: "cloudfront.amazonaws.com" },
                Action: "s3:GetObject",
                Resource: "arn:aws:s3:::docs-1a2b3c/site/*",
                Condition: { StringEquals: { "AWS:SourceArn": "arn:aws:cloudfront::1:distribution/E1" } },
            },
        ]);
        assert.equal(inputs("Function")["code"], edge);
    });
});
