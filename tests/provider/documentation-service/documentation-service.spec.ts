import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { DocumentationService, type DocumentationServiceArgs } from "pulumi-static-export/site";

type Inputs = Record<string, unknown>;

const args: DocumentationServiceArgs = {
    image: { repository: "registry.example.com/static-export", tag: "1" },
    publicUrl: "https://docs-admin.example.net",
    sites: { "docs.example.com": "git+https://git.example.com/acme/docs.git" },
    databaseUrl: "postgres://exports:hunter2@db.example.com/exports",
    bucket: { url: "s3://docs-bundles/exports", accessKeyId: "AKIA1", secretAccessKey: "hunter3" },
    adminApiKey: "admin_hunter4",
};

describe("DocumentationService", () => {
    let declared: Map<string, Inputs>;

    before(async () => {
        await pulumi.runtime.setMocks(
            {
                newResource: ({ type, name, inputs }) => {
                    const given = inputs as Inputs;
                    declared.set(type.replace(/^.*[:/]/, ""), given);
                    const state = type.endsWith("Secret")
                        ? { ...given, metadata: { name: "docs-service-1a2b" } }
                        : given;
                    return { id: name, state: { status: {}, ...state } };
                },
                call: ({ inputs }) => inputs as object,
            },
            "project",
            "stack",
            false,
        );
    });

    async function declare(changes: Partial<DocumentationServiceArgs> = {}): Promise<Map<string, Inputs>> {
        declared = new Map();
        const service = new DocumentationService("docs-service", { ...args, ...changes });
        assert.equal(await new Promise((resolve) => service.url.apply(resolve)), args.publicUrl);
        return declared;
    }

    it("puts all secrets into one Secret, and passes only its name to the chart", async () => {
        const resources = await declare();
        const { stringData } = resources.get("Secret") ?? {};
        const { value } = stringData as { value: Inputs };
        assert.deepEqual(value, {
            "database-url": args.databaseUrl,
            "admin-api-key": args.adminApiKey,
            "access-key-id": "AKIA1",
            "secret-access-key": "hunter3",
        });
        const release = resources.get("Release");
        assert.doesNotMatch(JSON.stringify(release), /hunter|AKIA/);
        const existingSecret = "docs-service-1a2b";
        assert.deepEqual(release?.["values"], {
            image: args.image,
            publicUrl: args.publicUrl,
            sites: args.sites,
            database: { existingSecret },
            adminKey: { existingSecret },
            bucket: { url: "s3://docs-bundles/exports", existingSecret },
        });
        assert.match(String(release?.["chart"]), /charts\/static-export-service$/);
    });

    it("relies on the service account if no bucket credentials are given", async () => {
        const bucket = { url: "s3://docs-bundles", region: "eu-central-1" };
        const release = (await declare({ bucket })).get("Release");
        assert.deepEqual((release?.["values"] as Inputs)["bucket"], bucket);
    });

    it("passes other values to the chart, but does not let them override the component's values", async () => {
        const values = { worker: { replicaCount: 4 }, publicUrl: "https://other", image: { pullPolicy: "Never" } };
        const given = (await declare({ values })).get("Release")?.["values"] as Inputs;
        assert.deepEqual(
            [given["worker"], given["publicUrl"], given["image"]],
            [{ replicaCount: 4 }, args.publicUrl, { pullPolicy: "Never", ...args.image }],
        );
    });

    it("installs a mirrored copy of the chart from a repository", async () => {
        const chart = { chart: "service", chartVersion: "1.2.3", chartRepository: "https://charts.example.com" };
        const release = (await declare(chart)).get("Release");
        assert.equal(release?.["chart"], "service");
        assert.equal(release?.["version"], "1.2.3");
        assert.deepEqual(release?.["repositoryOpts"], { repo: "https://charts.example.com" });
    });

    const refused: [string, object, RegExp][] = [
        ["without a database", { databaseUrl: undefined }, /: databaseUrl is required: the address of a PostgreSQL/],
        ["with half of the credentials", { bucket: { url: "s3://b", accessKeyId: "A" } }, /belong together: set both/],
        [
            "with a chart without its version",
            { chart: "oci://charts/service" },
            /oci:\/\/charts\/service needs chartVersion/,
        ],
        ["with a misspelled input", { databaseURL: "" }, /: databaseURL is not an input\. The inputs are image, /],
    ];
    for (const [what, changes, says] of refused) {
        it(`is refused ${what}, before any resource is declared`, () => {
            declared = new Map();
            assert.throws(() => new DocumentationService("docs-service", { ...args, ...changes }), says);
            assert.equal(declared.size, 0);
        });
    }
});
