import assert from "node:assert/strict";
import { tryExample } from "./support/example-specs.js";

describe("The example for Azure", () => {
    const { inputs } = tryExample("azure", {
        "an unknown kind of account": { wrote: "Kind.StorageV2", writes: "Kind.StorageV9", complaint: /StorageV9/ },
        "a missing argument": {
            wrote: "    sku: { name: cdn.SkuName.Standard_AzureFrontDoor },\n",
            writes: "",
            complaint: /ProfileArgs/,
        },
        "an unknown input of the site": {
            wrote: 'addresses: "objects"',
            writes: 'address: "objects"',
            complaint: /address/,
        },
    });
    const place = { resourceGroupName: "docs", profileName: "docs" };

    it("publishes each page at both of its addresses in the container of the static website", () => {
        assert.deepEqual(inputs("StorageAccountStaticWebsite docs"), {
            resourceGroupName: "docs",
            accountName: "docs1a2b3c",
            indexDocument: "index.html",
            error404Document: "404.html",
        });
        assert.deepEqual(inputs("BucketSite docs"), {
            jobId: "se_42",
            container: "$web",
            endpoint: "https://docs1a2b3c.blob.core.windows.net/",
            addresses: "objects",
            keep: 3,
        });
    });

    it("lets the user write blobs in the account", () => {
        const { scope, principalId, roleDefinitionId } = inputs("RoleAssignment writer");
        assert.deepEqual([scope, principalId], ["docs-id", "someone"]);
        assert.match(
            String(roleDefinitionId),
            /^\/subscriptions\/subscription\/providers\/Microsoft\.Authorization\/roleDefinitions\/ba92f5b4-[\da-f-]+$/,
        );
    });

    it("allows no anonymous blob reads, and no connections without TLS", () => {
        const { kind, allowBlobPublicAccess, enableHttpsTrafficOnly, minimumTlsVersion } =
            inputs("StorageAccount docs");
        assert.deepEqual([kind, allowBlobPublicAccess, enableHttpsTrafficOnly], ["StorageV2", false, true]);
        assert.equal(minimumTlsVersion, "TLS1_2");
    });

    it("routes requests from Front Door to the website by its host name", () => {
        const host = "docs1a2b3c.z6.web.core.windows.net";
        const { hostName, originHostHeader, originGroupName } = inputs("AFDOrigin docs");
        assert.deepEqual([hostName, originHostHeader, originGroupName], [host, host, "docs"]);
        const { patternsToMatch, originGroup, endpointName, httpsRedirect, ...route } = inputs("Route docs");
        assert.deepEqual(patternsToMatch, ["/*"]);
        assert.deepEqual(originGroup, { id: "docs-id" });
        assert.deepEqual([endpointName, httpsRedirect], ["docs", "Enabled"]);
        assert.deepEqual({ ...route, ...place }, route);
    });
});
