import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { RequestIdentities } from "../../../provider/src/start-keys/request-identities.js";

const require = createRequire(import.meta.url);
const hostScript = require.resolve("@pulumi/pulumi/cmd/dynamic-provider/index.js");

interface Message {
    setUrn(urn: string): void;
    setProperties(inputs: unknown): void;
    setNews(inputs: unknown): void;
    getProperties(): { toJavaScript(): object };
    getNews(): { toJavaScript(): object };
}

const { Struct } = require("google-protobuf/google/protobuf/struct_pb.js") as {
    Struct: { fromJavaScript(value: object): unknown };
};
const { CreateRequest, UpdateRequest } = require("@pulumi/pulumi/proto/provider_pb.js") as Record<
    "CreateRequest" | "UpdateRequest",
    { new (): Message; prototype: Message }
>;

const urn =
    "urn:pulumi:production::docs::static-export:index:DocumentationSite$pulumi-nodejs:dynamic/static-export:StaticExportBundle::site";
const identity = {
    project: "docs",
    stack: "production",
    type: "pulumi-nodejs:dynamic/static-export:StaticExportBundle",
    name: "site",
};

describe("The identity of a dynamic resource", () => {
    it("is read from the create or update request that contains the provider's inputs", () => {
        const identities = new RequestIdentities();
        const { getProperties } = CreateRequest.prototype;
        const { getNews } = UpdateRequest.prototype;
        try {
            identities.listen(hostScript);
            const create = new CreateRequest();
            create.setUrn(urn);
            create.setProperties(Struct.fromJavaScript({ domain: "docs.example.com" }));
            const inputs = create.getProperties().toJavaScript();
            assert.deepEqual(inputs, { domain: "docs.example.com" });
            assert.deepEqual(identities.of(inputs), identity);
            const update = new UpdateRequest();
            update.setUrn(urn);
            update.setNews(Struct.fromJavaScript({ domain: "docs.example.com" }));
            assert.deepEqual(identities.of(update.getNews().toJavaScript()), identity);
            assert.equal(identities.of({ ...inputs }), undefined);
            assert.equal(new CreateRequest().getProperties(), undefined, "a request without inputs");
        } finally {
            Object.assign(CreateRequest.prototype, { getProperties });
            Object.assign(UpdateRequest.prototype, { getNews });
        }
    });

    it("is unknown in a process that does not host dynamic providers", () => {
        const { getProperties } = CreateRequest.prototype;
        const identities = new RequestIdentities();
        identities.listen(undefined);
        identities.listen("/usr/lib/other/index.js");
        identities.listen("/nowhere/@pulumi/pulumi/cmd/dynamic-provider/index.js");
        // The SDK's program for whole programs finds the same messages.
        identities.listen(require.resolve("@pulumi/pulumi/cmd/run/index.js"));
        assert.equal(CreateRequest.prototype.getProperties, getProperties);
        assert.equal(identities.of({}), undefined);
    });
});
