import assert from "node:assert/strict";
import { tryExample } from "./support/example-specs.js";

describe("The example for Google Cloud", () => {
    const { inputs } = tryExample("google", {
        "a text for a list": { wrote: "domains: [domain]", writes: "domains: domain", complaint: /string/ },
        "a misspelled argument": { wrote: "enableCdn:", writes: "enableCDN:", complaint: /enableCDN/ },
        "an unknown input of the site": {
            wrote: 'addresses: "objects"',
            writes: 'address: "objects"',
            complaint: /address/,
        },
    });

    it("publishes each page at both of its addresses in the bucket, through the S3 protocol", () => {
        assert.deepEqual(inputs("BucketSite docs"), {
            jobId: "se_42",
            bucket: "docs-1a2b3c",
            endpoint: "https://storage.googleapis.com",
            region: "auto",
            addresses: "objects",
            keep: 3,
        });
    });

    it("makes the bucket public, with index pages for folders and a page for missing addresses", () => {
        const { website, uniformBucketLevelAccess } = inputs("Bucket docs");
        assert.deepEqual(website, { mainPageSuffix: "index.html", notFoundPage: "404.html" });
        assert.equal(uniformBucketLevelAccess, true);
        const { bucket, role, member } = inputs("BucketIAMMember readers");
        assert.deepEqual([bucket, role, member], ["docs-1a2b3c", "roles/storage.objectViewer", "allUsers"]);
    });

    it("caches files as their headers specify", () => {
        const { bucketName, enableCdn, cdnPolicy, loadBalancingScheme } = inputs("BackendBucket docs");
        assert.deepEqual(
            [bucketName, enableCdn, cdnPolicy],
            ["docs-1a2b3c", true, { cacheMode: "USE_ORIGIN_HEADERS" }],
        );
        // Other values are for internal load balancers, which have no CDN.
        assert.equal(loadBalancingScheme, undefined);
    });

    it("serves HTTPS at one IP address, and redirects HTTP to HTTPS at the same address", () => {
        const { target, ipAddress, portRange } = inputs("GlobalForwardingRule https");
        assert.deepEqual([ipAddress, portRange], ["203.0.113.7", "443"]);
        assert.equal(target, "gcp:compute/targetHttpsProxy:TargetHttpsProxy/docs");
        assert.deepEqual(inputs("TargetHttpsProxy docs"), {
            urlMap: "gcp:compute/uRLMap:URLMap/docs",
            sslCertificates: ["gcp:compute/managedSslCertificate:ManagedSslCertificate/docs"],
        });
        assert.deepEqual(inputs("ManagedSslCertificate docs"), { managed: { domains: ["docs.example.com"] } });
        assert.deepEqual(inputs("URLMap docs"), { defaultService: "gcp:compute/backendBucket:BackendBucket/docs" });
        const plain = inputs("GlobalForwardingRule http");
        assert.deepEqual([plain["ipAddress"], plain["portRange"]], ["203.0.113.7", "80"]);
        assert.deepEqual(inputs("TargetHttpProxy to-https"), { urlMap: "gcp:compute/uRLMap:URLMap/to-https" });
        const { httpsRedirect } = inputs("URLMap to-https")["defaultUrlRedirect"] as Record<string, unknown>;
        assert.equal(httpsRedirect, true);
    });
});
