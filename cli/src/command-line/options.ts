import { deploymentTypes, maxTimerSeconds } from "@pulumi-static-export/contract";
import { type PrivatePages } from "@pulumi-static-export/exporter";
import { Argument, InvalidArgumentError, Option } from "commander";

/** The options of every command that calls the admin API. */
export const clientOptions: readonly Option[] = [
    new Option("--base-url <url>", "address of the service (default: STATIC_EXPORT_BASE_URL)"),
    new Option("--admin-key-file <file>", "file with the admin API key (default: STATIC_EXPORT_ADMIN_API_KEY)"),
];

export const clientNotes =
    "Address and key come from STATIC_EXPORT_BASE_URL and STATIC_EXPORT_ADMIN_API_KEY, as in Pulumi programs.";

/** Declares the argument for an exported site. @param further - other forms that the command accepts */
export function siteArgument(further = "", name = "<site>"): Argument {
    return new Argument(name, `a folder, the archive of a bundle, ${further}or the id of an export job`);
}

/** @param what - the plural noun and verb for the command's exports, such as "bundles are" */
export function deploymentOptions(what: string): readonly Option[] {
    return [
        new Option(
            "--deployment <type>",
            `the deployment that ${what} for (air-gapped: no search, no Try it, no third-party services)`,
        )
            .choices(deploymentTypes)
            .default("client-hosted"),
        new Option(
            "--answer",
            "offer the MCP server, because `static-export answer` also serves the site's address",
        ).default(false),
    ];
}

/** How an export treats pages that only certain readers may see. */
export interface PrivatePagesSettings {
    access: boolean;
    publishGroups: boolean;
}

export function privatePagesOptions(): readonly Option[] {
    return [
        new Option(
            "--access",
            "export pages for certain readers (groups, public: false), and list in access.json who may read which file; only for a server that enforces access.json",
        ).default(false),
        new Option("--publish-groups", "publish pages for certain readers to everybody")
            .default(false)
            .conflicts("access"),
    ];
}

/** Converts the options for private pages to the exporter's setting. */
export function readPrivatePages({ access, publishGroups }: PrivatePagesSettings): PrivatePages {
    return access ? "keep-apart" : publishGroups ? "publish" : "leave-out";
}

export function jsonOption(what: string): Option {
    return new Option("--json", `print ${what} as JSON`);
}

/** The option that selects the pages of an export. */
export function pathOption(): Option {
    return new Option("--path <page>", "page to export (repeatable; default: all)").argParser(addTo);
}

/** Collects the values of a repeatable option. */
export function addTo(value: string, values: readonly string[] = []): string[] {
    return [...values, value];
}

/** Validates a commit's id, which may be shortened. */
export function readCommit(text: string): string {
    if (!/^[0-9a-f]{7,64}$/i.test(text)) {
        throw new InvalidArgumentError("Use a commit's id of 7 to 64 hexadecimal digits.");
    }
    return text;
}

export function readSeconds(text: string): number {
    return readWholeNumber(text, 1, maxTimerSeconds);
}

export function readCount(text: string): number {
    return readWholeNumber(text, 1, 10 ** 6);
}

export function readPort(text: string): number {
    return readWholeNumber(text, 0, 65_535);
}

export function readWholeNumber(text: string, min: number, max: number): number {
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (!(value >= min && value <= max)) {
        throw new InvalidArgumentError(`Use a whole number from ${min} to ${max}.`);
    }
    return value;
}

/** Returns a parser that throws an InvalidArgumentError unless the text matches the pattern. */
export function matching({ pattern, description }: { pattern: RegExp; description: string }) {
    return (text: string): string => {
        if (!pattern.test(text)) {
            throw new InvalidArgumentError(`Use ${description}.`);
        }
        return text;
    };
}

export function wholeNumberIn({ min, max }: { min: number; max: number }) {
    return (text: string): number => readWholeNumber(text, min, max);
}
