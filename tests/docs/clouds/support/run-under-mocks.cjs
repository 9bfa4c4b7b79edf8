// Runs a compiled Pulumi program with mocks, and prints a line of JSON for each resource.
const pulumi = require("@pulumi/pulumi");

/** The outputs that clouds compute and the examples use. */
const computed = {
    "aws:s3/bucket:Bucket": {
        bucket: "docs-1a2b3c",
        arn: "arn:aws:s3:::docs-1a2b3c",
        region: "eu-central-1",
        bucketRegionalDomainName: "docs-1a2b3c.s3.eu-central-1.amazonaws.com",
    },
    "aws:acm/certificate:Certificate": {
        arn: "arn:aws:acm:us-east-1:1:certificate/1",
        domainValidationOptions: [
            { resourceRecordName: "_1.docs.example.com.", resourceRecordType: "CNAME", resourceRecordValue: "_2.aws." },
        ],
    },
    "aws:route53/record:Record": { fqdn: "_1.docs.example.com" },
    "aws:cloudfront/keyValueStore:KeyValueStore": { arn: "arn:aws:cloudfront::1:key-value-store/1" },
    "aws:cloudfront/function:Function": { arn: "arn:aws:cloudfront::1:function/docs" },
    "aws:cloudfront/distribution:Distribution": {
        arn: "arn:aws:cloudfront::1:distribution/E1",
        domainName: "d1.cloudfront.net",
        hostedZoneId: "Z2FDTNDATAQYW2",
    },
    "azure-native:storage:StorageAccount": {
        name: "docs1a2b3c",
        primaryEndpoints: {
            blob: "https://docs1a2b3c.blob.core.windows.net/",
            web: "https://docs1a2b3c.z6.web.core.windows.net/",
        },
    },
    "azure-native:storage:StorageAccountStaticWebsite": { containerName: "$web" },
    "azure-native:cdn:AFDEndpoint": { hostName: "docs-1a2b3c.z01.azurefd.net" },
    "gcp:storage/bucket:Bucket": { name: "docs-1a2b3c" },
    "gcp:compute/globalAddress:GlobalAddress": { address: "203.0.113.7" },
    "pulumi-nodejs:dynamic/static-export:StaticExportBundle": { jobId: "se_42" },
    "pulumi-nodejs:dynamic/static-export:BucketSite": {
        releasePrefix: "site/releases/4f2a9c1d4f2a9c1d/",
        earlierJobIds: ["se_41"],
        uploadedFiles: 7,
    },
};

const newResource = ({ type, name, inputs }) => {
    const { __provider, ...given } = inputs;
    console.log(JSON.stringify({ type, name, inputs: given }));
    const id = `${name}-id`;
    // Adds a name and a link, which the inputs and the outputs above override.
    const named = { name, selfLink: `${type}/${name}`, ...given };
    return { id, state: { ...named, ...computed[type] } };
};
const call = () => ({ objectId: "someone", subscriptionId: "subscription" });

void (async () => {
    await pulumi.runtime.setMocks({ newResource, call }, "example", "dev", false);
    require(process.argv[2]);
})();
