import { type PublishedFolder } from "./owner-names.js";

/** The sections of `CHANGELOG.md` about each npm package. The command contains the service and the exporter. */
const sections: Readonly<Record<PublishedFolder, readonly string[]>> = {
    sdk: ["Client (sdk)"],
    provider: ["pulumi-static-export"],
    policy: ["Policy pack"],
    cli: ["Command", "Self-hosted service", "Exporter"],
};

/** The headings of `#### ` that no npm package contains. */
const otherSections = ["Plugin", "Charts", "Examples and guides"];

/**
 * The part of the repository's changelog that is about one package. Changes of releases without sections are in each.
 *
 * @throws Error about a section that belongs to nothing, so that no change is lost
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

/** Without headings such as "### Fixed" that nothing of the package follows. */
function withoutEmptyKinds(parts: readonly string[]): string[] {
    return parts.filter((part, at) => !/^### .*\s*$/.test(part) || parts[at + 1]?.startsWith("#### "));
}
