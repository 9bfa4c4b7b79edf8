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
    it("contains the package's changes and all changes of releases without sections, but no empty headings", () => {
        const text = changelogOf("sdk", changelog);
        assert.match(text, /^# Changelog\n\nAll changes\.\n\n## \[Unreleased\]\n\n### Added\n\n#### Client/);
        assert.doesNotMatch(text, /Exporter|component|Fixed|crash/);
        assert.match(text, /Everything/);
    });

    it("includes the exporter's changes if the package is the command", () => {
        const text = changelogOf("cli", changelog);
        assert.match(text, /component[^]*### Fixed[^]*crash/);
        assert.doesNotMatch(text, /A method/);
    });

    it("is rejected if a section belongs to no package", () => {
        assert.throws(() => changelogOf("sdk", "### Added\n\n#### Exportor\n\n- A typo.\n"), /"Exportor"/);
    });

    it("can be generated from this repository's changelog, which assigns each change to a section", () => {
        const text = readFileSync("CHANGELOG.md", "utf8");
        for (const folder of ["sdk", "provider", "policy", "cli"] as const) {
            assert.match(changelogOf(folder, text), /### Added\n\n#### /);
        }
        assert.doesNotMatch(text.split("## [0.1.0]")[0]!, /^### \w+\n\n- /m);
    });
});
