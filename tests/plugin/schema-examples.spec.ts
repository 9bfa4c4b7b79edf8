import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { pclOf, type YamlProgram } from "../../dev/schema-examples/pcl.js";
import schema from "../../plugin/src/schema.json" with { type: "json" };

const members = Object.entries<{ description: string }>({ ...schema.resources, ...schema.functions });
const nameOf = (token: string) => token.split(":").at(-1)!;

describe("an example in the plugin's schema", () => {
    for (const [token, { description }] of members) {
        it(`is written in every language: ${nameOf(token)}`, () => {
            const blocks = [...description.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
            assert.deepEqual(
                blocks.map(([, language]) => language),
                ["typescript", "python", "go", "csharp", "java", "yaml"],
            );
            for (const [, language, program = ""] of blocks) {
                // Languages write getAgentJob as get_agent_job or LookupAgentJob.
                const name = new RegExp(nameOf(token).replace(/^get/, ""), "i");
                assert.match(program.replaceAll("_", ""), name, language);
                assert.doesNotMatch(program, /PANIC|com\.pulumi\.staticexport/);
            }
        });

        it(`is the example in plugin/examples: ${nameOf(token)}`, () => {
            const [, shown] = /^```yaml\n(.*?)^```$/ms.exec(description) ?? [];
            assert.equal(shown, readFileSync(`plugin/examples/${nameOf(token)}.yaml`, "utf8"));
        });
    }

    it("exists only for members of the schema", () => {
        assert.deepEqual(
            readdirSync("plugin/examples").sort(),
            members.map(([token]) => `${nameOf(token)}.yaml`).sort(),
        );
    });
});

describe("an example in Pulumi's configuration language", () => {
    it("declares the same configuration, resources, functions and outputs", () => {
        const program = parse(`
config: { commit: { type: string } }
variables:
  job: { fn::invoke: { function: static-export:getAgentJob, arguments: { id: job_42 } } }
resources:
  docs:
    type: static-export:StaticExportBundle
    properties: { domain: docs.example.com, version: "\${commit}", paths: [/a, /b], renewLink: false }
  service:
    type: static-export:DocumentationService
    properties: { image: { repository: image }, sites: { docs.example.com: ./docs } }
outputs: { status: "\${job.status}" }
`) as YamlProgram;
        assert.equal(
            pclOf(program),
            `config commit "string" {}
job = invoke("static-export:index:getAgentJob", { id = "job_42" })
resource docs "static-export:index:StaticExportBundle" {
domain = "docs.example.com"
version = commit
paths = ["/a", "/b"]
renewLink = false
}
resource service "static-export:index:DocumentationService" {
image = { repository = "image" }
sites = { "docs.example.com" = "./docs" }
}
output status { value = job.status }`,
        );
    });
});
