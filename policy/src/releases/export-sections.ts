import { visible } from "../resources/describe-resource.js";
import { type Finding, isRecord, lookUp } from "../resources/look-up.js";

/** One `staticExport` section of a Helm release's values. */
export interface ExportSection {
    /** Where it stands, for messages: `values.staticExport`, or `values.docs.staticExport` of a subchart. */
    readonly place: string;
    readonly enabled: Finding;
    readonly bundleUrl: Finding;
    readonly version: Finding;
    /** The values that it stands among: those of the chart that reads it. */
    readonly chartValues: Record<string, unknown>;
}

/** The contract's keys, and the digest that this project's chart adds. */
const contractKeys = new Set(["enabled", "bundleUrl", "version", "sha256"]);
/** Charts of charts nest their values; this is deeper than any does. */
const deepest = 6;

/**
 * The sections by which a release's chart consumes an export. The provider has merged files of values into the values.
 * In a preview it leaves out what is not known yet, so what is absent may still come.
 * @param isFed - whether the values come from an export, so that a section with unusual keys is one, too
 */
export function findExportSections(release: Record<string, unknown>, { isFed = false } = {}): ExportSection[] {
    const values = lookUp(release, "values");
    return values.kind === "known" && isRecord(values.value) ? [...sectionsIn(values.value, "values", isFed, 1)] : [];
}

function* sectionsIn(
    chartValues: Record<string, unknown>,
    place: string,
    isFed: boolean,
    depth: number,
): Generator<ExportSection> {
    for (const key of Object.keys(chartValues)) {
        const found = lookUp(chartValues, key);
        if (found.kind !== "known" || !isRecord(found.value)) {
            continue;
        }
        const inner = found.value;
        if (key === "staticExport" && (isFed || isExportSection(inner))) {
            yield {
                place: `${place}.${key}`,
                enabled: lookUp(inner, "enabled"),
                bundleUrl: lookUp(inner, "bundleUrl"),
                version: lookUp(inner, "version"),
                chartValues,
            };
        } else if (depth < deepest) {
            yield* sectionsIn(inner, `${place}.${visible(key)}`, isFed, depth + 1);
        }
    }
}

/** Others may call something `staticExport` too: a flag, or settings of their own. */
function isExportSection(section: Record<string, unknown>): boolean {
    const keys = Object.keys(section);
    return Object.hasOwn(section, "bundleUrl") || (keys.length > 0 && keys.every((key) => contractKeys.has(key)));
}

/** Whether a link is there; an empty one is none. */
export function hasLink({ bundleUrl }: ExportSection): boolean {
    return bundleUrl.kind === "unknown" || (bundleUrl.kind === "known" && bundleUrl.value !== "");
}

export function isEnabled({ enabled }: ExportSection): boolean {
    return enabled.kind === "known" && enabled.value === true;
}
