import { isRecord } from "@pulumi-static-export/contract";
import { parseYaml } from "@pulumi-static-export/exporter";
import { ServiceOptionsError } from "../shared/service-options-error.js";

/** A site in a sites file. */
export interface SiteEntry {
    /** The place in the file: "line 3". */
    readonly where: string;
    readonly address: string;
    /** Undefined if the entry names no source. */
    readonly source: string | undefined;
    /** As the file contains it. */
    readonly build?: unknown;
}

/** The beginning of YAML or JSON; a line such as docs.example.com=./docs is neither. */
const yamlStart = /^(?:---|\{|["']?[\w./-]+["']?:(?:\s|$))/;

/**
 * Reads lines such as `docs.example.com=./docs`, or YAML or JSON with a source, or an object of `source` and `build`, for
 * each address.
 * @param file names the file in messages
 * @throws ServiceOptionsError for YAML that does not parse
 */
export function parseSitesFile(text: string, file: string): SiteEntry[] {
    const lines = text.split("\n").map((line) => line.trim());
    const first = lines.find((line) => line !== "" && !line.startsWith("#")) ?? "";
    return yamlStart.test(first) ? readYaml(text, file) : readLines(lines);
}

function readLines(lines: readonly string[]): SiteEntry[] {
    return lines.flatMap((line, index) => {
        const [, address = line, source] = /^([^=]+)=(.+)$/.exec(line) ?? [];
        return line === "" || line.startsWith("#") ? [] : [{ where: `line ${index + 1}`, address, source }];
    });
}

function readYaml(text: string, file: string): SiteEntry[] {
    let sites: unknown;
    try {
        sites = parseYaml(text);
    } catch (error) {
        throw new ServiceOptionsError(`${file}: ${(error as Error).message.split("\n", 1)[0]}`);
    }
    if (!isRecord(sites)) {
        throw new ServiceOptionsError(`${file} must contain an entry for each site, such as docs.example.com: ./docs.`);
    }
    return Object.entries(sites).map(([address, value], index) => {
        const where = `entry ${index + 1}`;
        if (!isRecord(value)) {
            return { where, address, source: typeof value === "string" ? value : undefined };
        }
        const { source, build } = value;
        return { where, address, source: typeof source === "string" ? source : undefined, build };
    });
}
