import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { publishedFolders, publishedName, requireOwner, withOwner } from "../../../../dev/release/names/owner-names.js";
import schema from "../../../../plugin/src/schema.json" with { type: "json" };
import { parse } from "yaml";

interface Manifest {
    private?: boolean;
    description?: string;
    author?: string;
    homepage?: string;
    repository?: { url: string; directory?: string };
    keywords?: string[];
}

describe("The owner's names in a release", () => {
    for (const refused of ["", "example--owner", "Acme", "acme--docs", "-acme", "acme_docs", "a".repeat(40)]) {
        it(`are rejected: "${refused}"`, () => assert.throws(() => requireOwner(refused), /RELEASE_OWNER/));
    }

    it("come from RELEASE_OWNER", () => assert.equal(requireOwner("acme-docs"), "acme-docs"));

    it("replace the placeholder in the form that each language requires", () => {
        const text =
            "github.com/example--owner/pulumi-static-export, io.github.exampleowner, ExampleOwner.StaticExport, " +
            "node_modules/pulumi-static-export-policy, @pulumi-static-export/sdk, from pulumi-static-export";
        assert.equal(
            withOwner(text, "acme-docs"),
            "github.com/acme-docs/pulumi-static-export, io.github.acmedocs, AcmeDocs.StaticExport, " +
                "node_modules/@acme-docs/static-export-policy, @acme-docs/static-export-sdk, from pulumi-static-export",
        );
    });

    it("determine the scope of every npm package", () => {
        for (const folder of publishedFolders) {
            assert.match(publishedName(folder, "acme"), /^@acme\/(pulumi-)?static-export/);
        }
        assert.match(withOwner(JSON.stringify(schema.language), "acme"), /"@acme\/static-export"/);
    });

    it("leave no placeholder in the plugin's schema, and no namespace reserved for Pulumi", () => {
        const text = withOwner(JSON.stringify(schema), "acme");
        assert.doesNotMatch(text, /example-?-?owner/i);
        assert.doesNotMatch(text, /"rootNamespace":\s*"Pulumi"|"basePackage":\s*"com\.pulumi"/);
        assert.equal(schema.language.csharp.rootNamespace, "ExampleOwner");
        assert.equal(schema.language.java.basePackage, "io.github.exampleowner");
    });
});

describe("The description of a package", () => {
    for (const folder of publishedFolders) {
        it(`names its source: ${folder}`, () => {
            const manifest = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as Manifest;
            assert.equal(manifest.private, undefined);
            assert.equal(manifest.repository?.url, "git+https://github.com/example--owner/pulumi-static-export.git");
            assert.equal(manifest.repository.directory, folder);
            assert.ok(manifest.description && manifest.author && manifest.homepage && manifest.keywords?.length);
        });
    }

    it("meets the requirements of the Pulumi Registry in the schema", () => {
        for (const address of [schema.homepage, schema.repository, schema.logoUrl, schema.pluginDownloadURL]) {
            assert.ok(address.includes("example--owner/pulumi-static-export"), address);
        }
        assert.ok(schema.keywords.some((keyword) => keyword.startsWith("category/")));
    });

    for (const chart of ["documentation-site", "documentation-sites", "static-export-service"]) {
        it(`has the form in the chart that Artifact Hub requires: ${chart}`, () => {
            const text = readFileSync(`charts/${chart}/Chart.yaml`, "utf8");
            const { icon, maintainers, sources, annotations } = parse(text) as Record<string, unknown>;
            assert.ok(icon && maintainers && sources);
            assert.ok("artifacthub.io/license" in (annotations as object));
        });
    }

    it("declares the types of the dynamic resources as aliases of the plugin's resources", () => {
        const aliases = Object.entries(schema.resources).flatMap(([token, resource]) =>
            "aliases" in resource ? resource.aliases.map(({ type }) => [token.split(":").at(-1), type]) : [],
        );
        assert.equal(aliases.length, 6);
        for (const [name, type] of aliases) {
            assert.equal(type, `pulumi-nodejs:dynamic/static-export:${name}`);
        }
    });
});
