import { domainPattern } from "./domain.js";

// The bounds of an export's request, which the provider checks in a preview, and the service in each request.

export const maxVersionCharacters = 200;
export const maxPaths = 1000;
export const maxPathCharacters = 2048;
/** The maximum of an agent job's prompt and messages. */
export const maxPromptCharacters = 100_000;

const oneLine = (maxCharacters: number) => `^[^\\u0000-\\u001f\\u007f]{1,${maxCharacters}}$`;

const versionPattern = oneLine(maxVersionCharacters);
const pagePathPattern = oneLine(maxPathCharacters);

/**
 * The body of the request that starts an export, as JSON Schema. The service validates requests with it, and a
 * description continues a message: "version must be …". Each field but `domain` is an optional input of the resources.
 */
export const exportRequest = {
    /** Host name of the documentation site: no scheme, port, path or trailing slash. */
    domain: {
        type: "string",
        pattern: domainPattern,
        description: "a host name only, such as docs.example.com: no scheme, port, path or trailing slash",
    },
    /** Label of this export. By default, the server exports the latest published version. */
    version: {
        type: "string",
        pattern: versionPattern,
        description: `a label for this export, of 1 to ${maxVersionCharacters} characters on one line`,
    },
    /** Page paths. By default, the server exports every published page. */
    paths: {
        type: "array",
        items: { type: "string", pattern: pagePathPattern, description: "the path of a page, such as /guides/start" },
        minItems: 1,
        maxItems: maxPaths,
        uniqueItems: true,
        description: describePaths(),
    },
} as const;

function describePaths(): string {
    const most = maxPaths.toLocaleString("en");
    return `a list of 1 to ${most} different page paths; leave it out for every published page`;
}

type ValueOf<Schema> = Schema extends { type: "array"; items: infer Item }
    ? readonly ValueOf<Item>[]
    : Schema extends { type: "string" }
      ? string
      : never;

type OptionalFields = Omit<typeof exportRequest, "domain">;

/** The inputs that determine the exported content, besides the domain: a change of any other input starts no job. */
export type ExportInputName = keyof OptionalFields | "triggers";

export const exportInputNames = [
    ...Object.keys(exportRequest).filter((name) => name !== "domain"),
    "triggers",
] as readonly ExportInputName[];

/** What to export. */
export type ExportRequest = {
    [Name in keyof Pick<typeof exportRequest, "domain">]: ValueOf<(typeof exportRequest)[Name]>;
} & { [Name in keyof OptionalFields]?: ValueOf<OptionalFields[Name]> | undefined };

/** Returns the fields of a request, without others that a client or a program has added. */
export function exportRequestOf(given: ExportRequest): ExportRequest {
    const fields = Object.keys(exportRequest) as (keyof ExportRequest)[];
    return Object.fromEntries(
        fields.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
    ) as ExportRequest;
}

// eslint-disable-next-line no-control-regex -- control characters are refused
const controlCharacter = /[\u0000-\u001f\u007f]/;

/** Returns what a text is not: one line, or short enough. Undefined if it is both. */
export function findLineFault(text: string, maxCharacters: number): string | undefined {
    if (controlCharacter.test(text)) {
        return "one line of printable characters";
    }
    return [...text].length > maxCharacters ? `at most ${maxCharacters} characters long` : undefined;
}
