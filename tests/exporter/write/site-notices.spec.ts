import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { withExport } from "../support/site-fixture.js";

const exporter = new URL("../../../exporter/package.json", import.meta.url);
const { dependencies } = JSON.parse(readFileSync(exporter, "utf8")) as { dependencies: Record<string, string> };
const require = createRequire(exporter);

describe("the notices in an exported site", () => {
    let notices: string;

    before(() =>
        withExport({ "index.md": "# Home" }, async (site) => {
            notices = await site.read("static-export/THIRD-PARTY-NOTICES.txt");
        }),
    );

    const iconSets = Object.keys(dependencies).filter((name) => name.startsWith("@iconify-json/"));
    for (const name of iconSets) {
        it(`name the authors, address and licence of its icons: ${name}`, () => {
            const { version } = require(`${name}/package.json`) as { version: string };
            const { author, license } = require(`${name}/info.json`) as {
                author: { name: string; url: string };
                license: { spdx: string; url: string };
            };
            assert.ok(
                notices.includes(
                    `${name} ${version}, by ${author.name} (${author.url}), ${license.spdx}: ${license.url}\n`,
                ),
            );
        });
    }

    it("contain the licence of the script that draws diagrams", () => {
        const licence = readFileSync(require.resolve("@mermaid-js/tiny/LICENSE"), "utf8");
        assert.ok(notices.includes(`@mermaid-js/tiny ${dependencies["@mermaid-js/tiny"]} (MIT)\n\n${licence.trim()}`));
    });

    it("list the packages in the diagram script, for the version that the exporter uses", () => {
        const version = dependencies["@mermaid-js/tiny"];
        assert.ok(
            notices.includes(`@mermaid-js/tiny ${version} contains the following third-party software`),
            "Run npm run diagram-notices after an update of @mermaid-js/tiny.",
        );
        for (const name of ["d3-selection", "dagre-d3-es", "dompurify", "langium", "lodash-es", "roughjs"]) {
            assert.match(notices, new RegExp(`^${name} [\\d.]+ \\(`, "m"));
        }
        assert.match(notices, /^Copyright 2010-\d+ Mike Bostock$/m);
    });

    it("contain the full licence of icons if their licence does not permit a link instead", () => {
        assert.match(notices, /Copyright \(c\) Lucide Contributors\n\nISC License\n\nPermission to use, copy/);
        assert.match(notices, /Copyright \(c\) Paweł Kuna\n\nMIT License\n\nPermission is hereby granted/);
    });
});
