import { type PublishedFolder } from "../names/owner-names.js";

/** The sections of `CHANGELOG.md` about each npm package. The command contains the service and the exporter. */
const sections: Readonly<Record<PublishedFolder, readonly string[]>> = {
    sdk: ["Client (sdk)"],
    provider: ["pulumi-static-export"],
    policy: ["Policy pack"],
    cli: ["Command", "Self-hosted service", "Exporter"],
};

/** The headings of level four that no npm package contains. */
const otherSections = ["Plugin", "Charts", "Examples and guides"];

/**
 * Returns the part of the repository's changelog that is about one package. Every part contains the changes of releases
 * that have no sections.
 *
 * @throws Error for a section that belongs to no package, so that no change is lost
 */
export function changelogOf(folder: PublishedFolder, changelog: string): string {
    const known = [...Object.values(sections).flat(), ...otherSections];
    const parts = changelog.split(/^(?=#{1,4} )/m).filter((part) => {
        const section = /^#### (.*)$/m.exec(part)?.[1];
        if (section !== undefined && !known.includes(section)) {
            throw new Error(`CHANGELOG.md has the section "${section}", which belongs to no package.`);
        }
        return section === undefined || sections[folder].includes(section);
    });
    return withoutEmptyKinds(parts).join("");
}

/** Removes headings such as "### Fixed" that have no content for the package. */
function withoutEmptyKinds(parts: readonly string[]): string[] {
    return parts.filter((part, at) => !/^### .*\s*$/.test(part) || parts[at + 1]?.startsWith("#### "));
}
