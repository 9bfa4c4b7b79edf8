/**
 * A release needs only one setting for the owner's names: the environment variable RELEASE_OWNER, which is the owner's
 * name on both GitHub and npm. The repository contains a placeholder instead, which nobody can register on GitHub
 * because of its two hyphens.
 */
const placeholder = "example--owner";

/** The npm packages of a release by their folders, in the owner's scope. */
const publishedNames = {
    sdk: "static-export-sdk",
    provider: "pulumi-static-export",
    policy: "static-export-policy",
    cli: "static-export-cli",
} as const;

export type PublishedFolder = keyof typeof publishedNames;
export const publishedFolders = Object.keys(publishedNames) as PublishedFolder[];

/** @throws Error without an owner, or if it is not a valid name on GitHub and npm */
export function requireOwner(owner: string | undefined = process.env["RELEASE_OWNER"]): string {
    if (owner === undefined || owner === "" || owner === placeholder) {
        throw new Error(
            `A release needs its owner's name in place of ${placeholder}: set RELEASE_OWNER to a name that is yours on ` +
                "GitHub and npm.",
        );
    }
    if (!/^[a-z\d](?:-?[a-z\d])*$/.test(owner) || owner.length > 39) {
        throw new Error(
            `RELEASE_OWNER is "${owner}", but names on GitHub and npm have up to 39 lower-case letters, digits and ` +
                "single hyphens.",
        );
    }
    return owner;
}

/** Returns the name under which a release publishes a package. */
export function publishedName(folder: PublishedFolder, owner: string): string {
    return `@${owner}/${publishedNames[folder]}`;
}

/** Replaces the placeholder in a file's text with the owner's name, in each form that languages use. */
export function withOwner(text: string, owner: string): string {
    const words = owner.split("-");
    return text
        .replaceAll(placeholder, owner)
        .replaceAll("ExampleOwner", words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(""))
        .replaceAll("exampleowner", words.join(""))
        .replaceAll("@pulumi-static-export/sdk", publishedName("sdk", owner))
        .replaceAll("@pulumi-static-export/cli", publishedName("cli", owner))
        .replace(/(?<![\w/])pulumi-static-export-policy\b/g, publishedName("policy", owner))
        .replaceAll("node_modules/pulumi-static-export-policy", `node_modules/${publishedName("policy", owner)}`);
}
