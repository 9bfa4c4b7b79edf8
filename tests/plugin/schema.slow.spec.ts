import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { serviceType, siteType } from "@pulumi-static-export/contract";
import {
    AgentJob,
    BucketSite,
    BundleMirror,
    DocumentationUpdate,
    StaticExportBundle,
    StaticExportJob,
} from "pulumi-static-export";
import { BundleCheck, DocumentationService, DocumentationSite } from "pulumi-static-export/site";
import { LifecycleHost } from "pulumi-static-export/plugin-entry";
import schema from "../../plugin/src/schema.json" with { type: "json" };
import { checkConfig } from "../../plugin/src/engine/provider-config.js";
import { resourceKinds } from "../../plugin/src/resources/resource-kinds.js";

const dynamicResources: Readonly<Record<string, () => pulumi.CustomResource>> = {
    StaticExportBundle: () => new StaticExportBundle("a", { domain: "docs.example.com" }),
    StaticExportJob: () => new StaticExportJob("e", { domain: "docs.example.com" }),
    BundleMirror: () => new BundleMirror("b", { jobId: "se_1", bucket: "docs" }),
    BucketSite: () => new BucketSite("g", { jobId: "se_1", bucket: "docs" }),
    BundleCheck: () => new BundleCheck("c", { jobId: "se_1" }),
    DocumentationUpdate: () => new DocumentationUpdate("f", { projectId: "p" }),
    AgentJob: () => new AgentJob("d", { projectId: "p", prompt: "do it" }),
};

/** The components, and their inputs that only a Node.js program can use. */
const components = [
    { type: siteType, Component: DocumentationSite, ofNode: ["kubeconfig"] },
    { type: serviceType, Component: DocumentationService, ofNode: [] },
] as const;
const componentTypes: readonly string[] = components.map(({ type }) => type);

interface Property {
    description?: string;
    secret?: boolean;
}

describe("the plugin's schema", () => {
    const host = new LifecycleHost(undefined, () => assert.fail("a check reads no setting"), assert.fail);

    before(() =>
        pulumi.runtime.setMocks({
            newResource: ({ name, inputs }) => ({ id: name, state: inputs as Record<string, unknown> }),
            call: () => ({}),
        }),
    );

    it("contains every resource that the plugin implements", () => {
        assert.deepEqual(
            Object.keys(schema.resources).sort(),
            [...Object.keys(resourceKinds), ...componentTypes].sort(),
        );
    });

    it("contains every setting of the plugin, for the configuration and for explicit providers", () => {
        const { inputProperties } = schema.provider;
        assert.deepEqual(Object.keys(schema.config.variables), Object.keys(inputProperties));
        const values = Object.fromEntries([...Object.keys(inputProperties), "bogus"].map((name) => [name, "text"]));
        const known = checkConfig({ values, secrets: new Set() });
        assert.deepEqual(Object.keys(known.values), Object.keys(inputProperties));
    });

    for (const { type, Component, ofNode } of components) {
        it(`contains the language-independent inputs of the npm package's component: ${Component.name}`, () => {
            assert.throws(
                () => new Component("docs", { bogus: true } as never),
                (error: Error) => {
                    const [, list = ""] = /The inputs are (.*)\.$/.exec(error.message) ?? [];
                    const ofBoth = list.split(", ").filter((name) => !(ofNode as readonly string[]).includes(name));
                    const inputs = Object.keys(schema.resources[type].inputProperties);
                    assert.deepEqual(inputs.sort(), ofBoth.sort());
                    return true;
                },
            );
        });
    }

    for (const [token, resource] of Object.entries(schema.resources).filter(
        ([type]) => !componentTypes.includes(type),
    )) {
        const name = token.split(":").at(-1)!;
        const kind = resourceKinds[token]!;
        const inputs = Object.keys(resource.inputProperties);

        it(`contains the inputs of the dynamic resource: ${name}`, async () => {
            const lifecycle = kind.lifecycle(host, { log: assert.fail, signal: host.gone });
            const { failures = [] } = await lifecycle.check({}, { bogus: true });
            const refusal = failures.find(({ property }) => property === "bogus")!.reason;
            assert.deepEqual(refusal.split("The inputs are ")[1]!.split(", ").sort(), [...inputs].sort());
            // A schema cannot say that one of several inputs is required.
            const required = failures.filter(
                ({ property, reason }) => property !== "bogus" && !reason.includes(", unless "),
            );
            assert.deepEqual(
                required.map(({ property }) => property),
                resource.requiredInputs,
            );
        });

        it(`contains the outputs of the dynamic resource: ${name}`, () => {
            const declared = dynamicResources[name]!();
            const outputs = Object.entries(declared)
                .filter(([property, value]) => pulumi.Output.isInstance(value) && !["id", "urn"].includes(property))
                .map(([property]) => property)
                .filter((property) => property !== "__provider" && !inputs.includes(property));
            const properties = Object.keys(resource.properties).filter((property) => !inputs.includes(property));
            assert.deepEqual(properties.sort(), outputs.sort());
        });

        it(`describes every input and output, and marks the secret ones: ${name}`, () => {
            const properties = Object.entries<Property>(resource.properties);
            assert.deepEqual(
                properties.filter(([, { description = "" }]) => description === ""),
                [],
            );
            assert.deepEqual(
                properties.filter(([, { secret }]) => secret).map(([property]) => property),
                kind.secretOutputs,
            );
        });
    }
});
