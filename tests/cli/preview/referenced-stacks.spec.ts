import assert from "node:assert/strict";
import { adviceOnReferences, referencedStacks } from "../../../cli/src/preview/referenced-stacks.js";

const secrets_providers = { type: "passphrase", state: { salt: "v1:salt" } };

function stackWith(...references: { name: string; outputs: Record<string, unknown> }[]) {
    const resources = references.map(({ name, outputs }) => ({
        urn: `urn:pulumi:dev::docs::pulumi:pulumi:StackReference::${name}`,
        type: "pulumi:pulumi:StackReference",
        inputs: { name },
        outputs: { name, outputs, secretOutputNames: [] },
    }));
    return { version: 3, deployment: { secrets_providers, resources } };
}

describe("The stacks that a deployed program references", () => {
    for (const [name, project, stack] of [
        ["organization/network/prod", "network", "prod"],
        ["acme/network/prod", "network", "prod"],
        ["organization/prod", "docs", "prod"],
        ["prod", "docs", "prod"],
    ] as const) {
        it(`are restored with their outputs: ${name} is ${project}/${stack}`, () => {
            const outputs = {
                vpcId: "vpc-1",
                token: { "4dabf18193072939515e22adb298388d": "1b47", ciphertext: "v1:a:b" },
            };
            const [found] = referencedStacks(stackWith({ name, outputs }), "docs");
            assert.deepEqual([found?.project, found?.stack], [project, stack]);
            assert.deepEqual(found?.state.deployment, {
                secrets_providers,
                resources: [
                    {
                        urn: `urn:pulumi:${stack}::${project}::pulumi:pulumi:Stack::${project}-${stack}`,
                        custom: false,
                        type: "pulumi:pulumi:Stack",
                        outputs,
                    },
                ],
            });
        });
    }

    it("are listed once, also if two resources reference one of them", () => {
        const twice = { name: "organization/network/prod", outputs: {} };
        assert.equal(referencedStacks(stackWith(twice, twice), "docs").length, 1);
    });

    it("are none in a program without references", () => {
        assert.deepEqual(referencedStacks(stackWith(), "docs"), []);
    });
});

describe("The advice on stack references", () => {
    it("says how a new reference gets into the redacted stack", () => {
        const advice = adviceOnReferences('error: unknown stack "organization/network/prod"');
        assert.match(advice ?? "", /lacks the outputs of organization\/network\/prod/);
    });

    it("says which form a reference needs without Pulumi Cloud", () => {
        const advice = adviceOnReferences("error: organization name must be 'organization'");
        assert.match(advice ?? "", /organization\/PROJECT\/STACK/);
    });

    it("is absent for other errors", () => {
        assert.equal(adviceOnReferences("error: preview failed"), undefined);
    });
});
