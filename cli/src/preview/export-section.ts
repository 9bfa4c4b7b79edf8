import { asRecord, isSecret } from "./property-value.js";

/** The `staticExport` section of a release's values, wherever it stands, and the values without it. */
export interface ExportSection {
    /** `staticExport`, or `docs.staticExport` where the chart that reads it is a dependency of the release's chart. */
    readonly place: string;
    readonly section: Record<string, unknown>;
    readonly rest: Record<string, unknown>;
}

/** As deep as the policy pack looks. */
const deepest = 6;
const contractKeys: ReadonlySet<string> = new Set(["enabled", "bundleUrl", "version", "sha256"]);

/** The first section of the contract; an empty one at the top if there is none. */
export function findExportSection(values: unknown): ExportSection {
    const record = asRecord(values);
    const { staticExport, ...rest } = record;
    const top = { place: "staticExport", section: asRecord(staticExport), rest };
    return Object.hasOwn(record, "staticExport") ? top : (findBelow(record, 2) ?? top);
}

function findBelow(values: Record<string, unknown>, depth: number): ExportSection | undefined {
    for (const [key, value] of Object.entries(values)) {
        if (depth > deepest || isSecret(value)) {
            continue;
        }
        const { staticExport, ...others } = asRecord(value);
        const section = asRecord(staticExport);
        const found: ExportSection | undefined = Object.keys(section).some((name) => contractKeys.has(name))
            ? { place: "staticExport", section, rest: others }
            : findBelow(asRecord(value), depth + 1);
        if (found !== undefined) {
            return { ...found, place: `${key}.${found.place}`, rest: { ...values, [key]: found.rest } };
        }
    }
    return undefined;
}
