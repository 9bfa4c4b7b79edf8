import assert from "node:assert/strict";
import { markKey, marks, unknownValue } from "@pulumi-static-export/contract";
import { declareService } from "../../../plugin/src/components/documentation-service.js";
import { RegisteredResource, type WireProperties } from "../../../plugin/src/components/resource-monitor.js";
import { decode, encode } from "../../../plugin/src/wire/properties.js";

const secret = (value: unknown) => ({ [markKey]: marks.secret, value });
const service = {
    image: { repository: "registry.example.com/static-export" },
    publicUrl: "https://docs-admin.example.net",
    sites: { "docs.example.com": "/sites/docs" },
    databaseUrl: secret("postgres://exports:hunter2@db.example.com/exports"),
    bucket: { url: "s3://docs-bundles", accessKeyId: "AKIA1", secretAccessKey: secret("hunter3") },
    adminApiKey: secret("admin_hunter4"),
    chart: "oci://charts/static-export-service",
    chartVersion: "1",
};
const existingSecret = "docs-1a2b";

/** Declares the service with an engine that responds immediately, and returns the inputs of the declared resources. */
async function inputsOf(given: WireProperties): Promise<Record<string, WireProperties>> {
    const wire = { ...service, ...given };
    const declared: Record<string, WireProperties> = {};
    const { values } = decode(encode(wire, new Set()));
    await declareService("docs", { values, wire }, ({ type, inputs, dependsOn }) => {
        const name = type.split(":").at(-1)!;
        declared[name] = { ...inputs, ...(dependsOn && { dependsOn }) };
        return Promise.resolve(new RegisteredResource(`urn:${name}`, { metadata: { name: existingSecret } }));
    });
    return declared;
}

describe("DocumentationService of the plugin", () => {
    it("stores all secrets in one Secret, and passes only the Secret's name to the chart", async () => {
        const { Secret, Release } = await inputsOf({ namespace: "docs" });
        assert.deepEqual(Secret?.["metadata"], { namespace: "docs" });
        assert.deepEqual(
            Secret?.["stringData"],
            secret({
                "database-url": "postgres://exports:hunter2@db.example.com/exports",
                "admin-api-key": "admin_hunter4",
                "access-key-id": "AKIA1",
                "secret-access-key": "hunter3",
            }),
        );
        assert.deepEqual(Release?.["values"], {
            image: service.image,
            publicUrl: service.publicUrl,
            sites: service.sites,
            database: { existingSecret },
            adminKey: { existingSecret },
            bucket: { url: "s3://docs-bundles", existingSecret },
        });
        assert.deepEqual(Release?.["dependsOn"], ["urn:Secret"]);
    });

    it("uses the service account for the bucket if the program sets no credentials", async () => {
        const bucket = { url: "s3://docs-bundles", region: "eu-central-1" };
        const { Release } = await inputsOf({ bucket });
        assert.deepEqual((Release?.["values"] as WireProperties)["bucket"], bucket);
    });

    it("passes the program's values to the chart, except values that the component sets itself", async () => {
        const values = { worker: { replicaCount: 4 }, publicUrl: "https://other", image: { pullPolicy: "Never" } };
        const given = (await inputsOf({ values }))["Release"]?.["values"] as WireProperties;
        assert.deepEqual(
            [given["worker"], given["publicUrl"], given["image"]],
            [{ replicaCount: 4 }, service.publicUrl, { pullPolicy: "Never", ...service.image }],
        );
    });

    const refused: [string, WireProperties, RegExp][] = [
        ["half of the credentials", { bucket: { url: "s3://b", accessKeyId: "A" } }, /belong together: set both/],
        [
            "a bucket that is not known yet",
            { bucket: unknownValue },
            /: bucket must be known while the program runs\. Only/,
        ],
        ["a chart without a version", { chartVersion: undefined }, /needs chartVersion/],
    ];
    for (const [what, given, says] of refused) {
        it(`refuses ${what} before declaring any resource`, async () => {
            await assert.rejects(inputsOf(given), says);
        });
    }
});
