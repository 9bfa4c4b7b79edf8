import assert from "node:assert/strict";
import { describeResources } from "../../dev/api-reference/write.js";
import schema from "../../plugin/src/schema.json" with { type: "json" };

type Properties = Record<string, { description?: string }>;

/** The doc comments of members by type, each on one line. */
const documented = new Map(
    describeResources().map(({ name, members }) => [
        name,
        new Map(members.map((member) => [member.name, member.doc.replace(/\s+/g, " ")])),
    ]),
);

/** Types of the schema that have a different name in the npm package. */
const otherNames: Readonly<Record<string, string>> = { SiteMirror: "BundleMirrorArgs" };

/** Descriptions that differ because the plugin does not include a chart, or because the schema can express more. */
const differs = new Set([
    ...["deploymentType", "chart", "chartTakesDigest", "access"].map((name) => `DocumentationSite.${name}`),
    ...["chart", "databaseUrl", "adminApiKey"].map((name) => `DocumentationService.${name}`),
    "MirroredCopy.pin",
]);

describe("descriptions in the plugin's schema", () => {
    const resources = Object.entries<{ inputProperties: Properties; properties: Properties }>(schema.resources);
    const types = Object.entries<{ properties: Properties }>(schema.types);
    const compared = [
        ...resources.flatMap(([token, { inputProperties, properties }]) => {
            const name = nameOf(token);
            const outputs = Object.entries(properties).filter(([property]) => !(property in inputProperties));
            return [
                { name, type: `${name}Args`, properties: inputProperties },
                { name, type: name, properties: Object.fromEntries(outputs) },
            ];
        }),
        ...types.map(([token, { properties }]) => {
            const name = nameOf(token);
            const type = otherNames[name] ?? [name, `${name}Args`].find((each) => documented.has(each)) ?? name;
            return { name, type, properties };
        }),
    ];

    for (const { name, type, properties } of compared) {
        it(`match the doc comments of the npm package: ${type} for ${name}`, () => {
            const members = membersOf(type);
            const same = Object.entries(properties).filter(
                ([property]) => Boolean(members.get(property)) && !differs.has(`${name}.${property}`),
            );
            assert.notEqual(same.length, 0);
            assert.deepEqual(
                same.map(([property, { description }]) => [property, description]),
                same.map(([property]) => [property, members.get(property)]),
            );
        });
    }

    it("differ from the doc comments only in the listed exceptions", () => {
        const equal = compared.flatMap(({ name, type, properties }) =>
            Object.entries(properties)
                .filter(([property, { description }]) => membersOf(type).get(property) === description)
                .map(([property]) => `${name}.${property}`),
        );
        assert.deepEqual(
            equal.filter((each) => differs.has(each)),
            [],
        );
    });
});

function nameOf(token: string): string {
    return token.split(":").at(-1)!;
}

function membersOf(type: string): ReadonlyMap<string, string> {
    return documented.get(type) ?? new Map<string, string>();
}
