import { toOneLine, wordsBefore } from "../text/strings.js";
import { type ExportWarnings } from "@pulumi-static-export/contract";

/** The kinds of warnings that an export counts. */
export const warningKinds = [
    "syntax",
    "component",
    "expression",
    "import",
    "attribute",
    "icon",
    "link",
    "navigation",
    "settings",
    "access",
    "openapi",
    "formula",
    "diagram",
    "file",
] as const;
export type WarningKind = (typeof warningKinds)[number];

/** A place in the site's files. */
export interface SourcePlace {
    /** Relative to the site's folder. */
    readonly file: string;
    readonly line: number | undefined;
}

/** A note for the site's authors that does not stop the export. */
export interface SiteWarning extends SourcePlace {
    readonly kind: WarningKind;
    readonly reason: string;
}

/** A setting by its path, such as `colors.primary`, as an object of the settings, or by a string that they contain. */
export type SettingPlace = { readonly path: string } | { readonly entry: object } | { readonly value: string };

/**
 * A note about a setting. Its file and line are added when it is logged, because cached parts of a site contain it, and
 * an edit of the settings may move the line.
 */
interface SettingWarning {
    readonly kind: WarningKind;
    readonly reason: string;
    readonly setting: SettingPlace;
}

/** A warning as the export finds it. */
export type FoundWarning = SiteWarning | SettingWarning;

/** A warning with the number of its other places, if there are any, and the first 20 of these places. */
export interface KeptWarning extends SiteWarning {
    elsewhere?: { count: number; readonly places: SourcePlace[] };
}

/** The maximum number of warnings that are stored with their text; all are counted. */
export const maxKept = 500;

/** The number of warnings of each kind that are always stored with their text. */
const maxKeptOfKind = 5;

const maxElsewhere = 20;

const maxReasonLength = 400;

/**
 * Collects an export's warnings without duplicates, bounded in number and length. A warning with many places is stored
 * once: otherwise a missing icon on a hundred pages would hide all later warnings.
 */
export class WarningLog {
    readonly #seen = new Set<string>();
    readonly #kept = new Map<string, KeptWarning>();
    readonly #keptOfKind = new Map<WarningKind, number>();
    readonly #counts = new Map<WarningKind, number>();

    /** @param placeOf finds a setting in the settings' files */
    constructor(
        private readonly placeOf: (setting: SettingPlace) => SourcePlace = () => ({ file: "", line: undefined }),
        /** Called with each counted place. */
        private readonly onPlace: (warning: SiteWarning) => void = () => undefined,
    ) {}

    add(warning: FoundWarning): void {
        const { kind } = warning;
        // Reasons quote the site's texts, which could control a reader's terminal.
        const reason = toOneLine(warning.reason);
        const { file, line } = "setting" in warning ? this.placeOf(warning.setting) : warning;
        const text = reason.length > maxReasonLength ? `${wordsBefore(reason, maxReasonLength, " ")}…` : reason;
        const key = `${file}\0${line}\0${text}`;
        // The size of this set is limited: beyond this limit, a warning may be counted twice.
        if (this.#seen.size < 20 * maxKept) {
            if (this.#seen.has(key)) {
                return;
            }
            this.#seen.add(key);
        }
        this.onPlace({ kind, file, line, reason: text });
        this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
        const cause = `${kind}\0${text}`;
        const kept = this.#kept.get(cause);
        if (kept === undefined) {
            const ofKind = this.#keptOfKind.get(kind) ?? 0;
            if (this.#kept.size < maxKept || ofKind < maxKeptOfKind) {
                this.#keptOfKind.set(kind, ofKind + 1);
                this.#kept.set(cause, { kind, file, line, reason: text });
            }
            return;
        }
        kept.elsewhere ??= { count: 0, places: [] };
        kept.elsewhere.count += 1;
        if (kept.elsewhere.places.length < maxElsewhere) {
            kept.elsewhere.places.push({ file, line });
        }
    }

    get kept(): readonly KeptWarning[] {
        return [...this.#kept.values()];
    }

    /** The number of warnings of each kind, including those without a stored text. */
    get counts(): Readonly<Partial<Record<WarningKind, number>>> {
        return Object.fromEntries(this.#counts);
    }
}

/** The warnings of an export in the job's form, with the number of all places of each kind. */
export interface CountedWarnings extends ExportWarnings {
    countByKind: Record<string, number>;
}
