import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { changelogOf } from "../../../../dev/release/artifacts/package-changelog.js";

const changelog = `# Changelog

All changes.

## [Unreleased]

### Added

#### Client (sdk)

- A method.

#### Exporter

- A component.

### Fixed

#### Exporter

- A crash.

## [0.1.0] - 2026-11-01

- Everything.
`;

describe("The changelog of a package", () => {
    it("has its own changes, without headings that nothing follows, and those of releases without sections", () => {
        const text = changelogOf("sdk", changelog);
        assert.match(text, /^# Changelog\n\nAll changes\.\n\n## \[Unreleased\]\n\n### Added\n\n#### Client/);
        assert.doesNotMatch(text, /Exporter|component|Fixed|crash/);
        assert.match(text, /Everything/);
    });

    it("of the command has those of the exporter in it", () => {
        const text = changelogOf("cli", changelog);
        assert.match(text, /component[^]*### Fixed[^]*crash/);
        assert.doesNotMatch(text, /A method/);
    });

    it("is rejected if a section belongs to no package", () => {
        assert.throws(() => changelogOf("sdk", "### Added\n\n#### Exportor\n\n- A typo.\n"), /"Exportor"/);
    });

    it("can be created from this repository's changelog, in which each change belongs to a section", () => {
        const text = readFileSync("CHANGELOG.md", "utf8");
        for (const folder of ["sdk", "provider", "policy", "cli"] as const) {
            assert.match(changelogOf(folder, text), /### Added\n\n#### /);
        }
        assert.doesNotMatch(text.split("## [0.1.0]")[0]!, /^### \w+\n\n- /m);
    });
});
