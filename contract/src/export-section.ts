import { isRecord } from "./is-record.js";

/** A `staticExport` section in a Helm release's values. */
export interface ExportSection {
    /** The keys from the values to the section: `staticExport`, or `docs`, `staticExport` for a chart's dependency. */
    readonly path: readonly string[];
    readonly section: Readonly<Record<string, unknown>>;
    /** The values of the chart that reads the section. */
    readonly chartValues: Readonly<Record<string, unknown>>;
}

export interface FindOptions {
    /**
     * Whether the values come from an export. If so, a `staticExport` section counts even without a link, because a
     * preview does not know the link of a future export.
     */
    comesFromExport: boolean;
    /** Returns the value of a key if it is known and may be read. The value may be of any type. */
    read: (values: Readonly<Record<string, unknown>>, key: string) => unknown;
}

const sectionKey = "staticExport";
/** The contract's keys, and the digest that this project's chart adds to them. */
const knownKeys: ReadonlySet<string> = new Set(["enabled", "bundleUrl", "version", "sha256"]);
/** The maximum depth at which charts nest the values of their dependencies. */
const maxDepth = 6;

/** Finds the sections with which a release's chart consumes an export, outer sections first. */
export function* findExportSections(
    values: Readonly<Record<string, unknown>>,
    options: FindOptions,
): Generator<ExportSection> {
    yield* sectionsIn(values, [], options);
}

function* sectionsIn(
    chartValues: Readonly<Record<string, unknown>>,
    place: readonly string[],
    options: FindOptions,
): Generator<ExportSection> {
    const records = Object.keys(chartValues)
        .map((key) => [key, options.read(chartValues, key)] as const)
        .filter((entry): entry is [string, Record<string, unknown>] => isRecord(entry[1]));
    const isSection = ([key, record]: [string, Record<string, unknown>]) =>
        key === sectionKey && (options.comesFromExport || isExportSection(record));
    for (const [key, section] of records.filter(isSection)) {
        yield { path: [...place, key], section, chartValues };
    }
    if (place.length + 1 < maxDepth) {
        for (const [key, inner] of records.filter((entry) => !isSection(entry))) {
            yield* sectionsIn(inner, [...place, key], options);
        }
    }
}

/** Other charts may use the key `staticExport` for a flag or for their own settings. */
function isExportSection(section: Readonly<Record<string, unknown>>): boolean {
    const keys = Object.keys(section);
    return Object.hasOwn(section, "bundleUrl") || (keys.length > 0 && keys.every((key) => knownKeys.has(key)));
}
