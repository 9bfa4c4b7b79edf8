import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Described } from "../../../dev/api-reference/describe-module.js";
import { describeResources, subjects, writeReference } from "../../../dev/api-reference/write.js";
import { withSection } from "../../../dev/references/write.js";
import schema from "../../../plugin/src/schema.json" with { type: "json" };

const root = new URL("../../../", import.meta.url);
const folder = "docs/reference";

interface Property {
    willReplaceOnChanges?: boolean;
    secret?: boolean;
}

interface ResourceSchema {
    isComponent?: boolean;
    inputProperties: Readonly<Record<string, Property>>;
    properties: Readonly<Record<string, Property>>;
}

function namesOf(
    properties: Readonly<Record<string, Property>>,
    isListed: (property: Property) => boolean | undefined,
): string[] {
    return Object.keys(properties).filter((name) => isListed(properties[name]!));
}

describe("The API reference", () => {
    let pages: Map<string, string>;
    let described: Map<string, Described>;

    before(function () {
        this.timeout(120_000);
        pages = writeReference();
        described = new Map(describeResources().map((each) => [each.name, each]));
    });

    function page(name: string): string {
        return pages.get(`${folder}/${name}.md`) ?? assert.fail(`There is no page ${name}.`);
    }

    it("matches the doc comments: run `npm run references` after changing them", async () => {
        for (const [file, section] of pages) {
            const text = await readFile(new URL(file, root), "utf8");
            assert.equal(text, withSection(text, section), file);
        }
    });

    it("has a page for every resource, with an example, and for every function", () => {
        const named = Object.values(subjects).flat();
        for (const { name, kind, example } of described.values()) {
            if (kind === "class") {
                assert.match(example ?? "", new RegExp(`^\`\`\`ts\n[^]*new ${name}\\(`), name);
            }
            assert.ok(named.includes(name) || !["class", "function"].includes(kind), `${name} has no page`);
        }
    });

    it("finds a doc comment for every export, input, output and field", () => {
        for (const { name, kind, members, doc } of described.values()) {
            assert.notEqual(doc, "", `${name} has no doc comment`);
            const inputs = described.get(`${name}Args`)?.members ?? [];
            for (const member of members) {
                const isDescribed =
                    member.doc !== "" ||
                    (described.get(member.type)?.doc ?? "") !== "" ||
                    (kind === "class" && inputs.some((input) => input.name === member.name));
                assert.ok(isDescribed, `${name}.${member.name} has no doc comment`);
            }
        }
    });

    it("shows every field of every type", () => {
        const text = [...pages.values()].join("\n");
        for (const { name, members } of described.values()) {
            for (const member of members) {
                assert.match(text, new RegExp(`\`([\\w.]+\\.)?${member.name}\\??\``), `${name}.${member.name}`);
            }
        }
    });

    it("shows each default without an explanation, which belongs to the meaning", () => {
        const explained = [...pages.values()].join("\n").match(/Default: [^.|]*: .*/g);
        assert.deepEqual(explained ?? [], []);
    });

    it("says which inputs replace a resource and which outputs are secret, as the plugin's schema does", () => {
        const resources = Object.entries(schema.resources as Readonly<Record<string, ResourceSchema>>);
        for (const [token, { inputProperties, properties }] of resources.filter(([, each]) => !each.isComponent)) {
            const name = token.split(":").at(-1)!;
            const membersOf = (type: string) => described.get(type)?.members ?? [];
            assert.deepEqual(
                membersOf(`${name}Args`)
                    .filter(({ doc }) => /\bA\s+change\s+replaces\b/.test(doc))
                    .map((input) => input.name),
                namesOf(inputProperties, ({ willReplaceOnChanges }) => willReplaceOnChanges),
            );
            for (const secret of namesOf(properties, (property) => property.secret)) {
                const { doc = "" } = membersOf(name).find((output) => output.name === secret) ?? {};
                assert.match(doc, /\bsecret\b/i, `${name}.${secret}`);
            }
        }
    });

    it("lists every class and function of the SDK, and no internal classes", () => {
        const text = page("api-sdk");
        for (const name of ["AdminClient", "StaticExports", "HttpError"]) {
            assert.match(text, new RegExp(`^\\| \`${name}\` \\| \\w`, "m"));
        }
        assert.match(text, /^The functions are .*`downloadBundle`/m);
        assert.doesNotMatch([...pages.values()].join("\n"), /^\| `(__|#)/m);
    });
});
