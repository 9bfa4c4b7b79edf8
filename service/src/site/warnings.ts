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
] as const;
export type WarningKind = (typeof warningKinds)[number];

/** Something about the site that its authors should know, but that does not stop the export. */
export interface SiteWarning {
    readonly kind: WarningKind;
    /** Relative to the site's folder. */
    readonly file: string;
    readonly line: number | undefined;
    readonly reason: string;
}

/** The number of warnings that are kept with their texts; all are counted. */
const mostKept = 500;

const longestReason = 400;

/** Collects an export's warnings, each once, bounded in number and length. */
export class WarningLog {
    readonly #seen = new Set<string>();
    readonly #kept: SiteWarning[] = [];
    readonly #counts = new Map<WarningKind, number>();

    /** @param placed completes a warning whose place its reporter did not know */
    constructor(private readonly placed: (warning: SiteWarning) => SiteWarning = (warning) => warning) {}

    add(warning: SiteWarning): void {
        const { kind, file, line, reason } = this.placed(warning);
        const text = reason.length > longestReason ? `${reason.slice(0, longestReason)}…` : reason;
        const key = `${file}\0${line}\0${text}`;
        // A bounded set: beyond it a warning may be counted twice.
        if (this.#seen.size < 20 * mostKept) {
            if (this.#seen.has(key)) {
                return;
            }
            this.#seen.add(key);
        }
        this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
        if (this.#kept.length < mostKept) {
            this.#kept.push({ kind, file, line, reason: text });
        }
    }

    get kept(): readonly SiteWarning[] {
        return this.#kept;
    }

    /** How many there are of each kind, those that were not kept included. */
    get counts(): Readonly<Partial<Record<WarningKind, number>>> {
        return Object.fromEntries(this.#counts);
    }

    get total(): number {
        return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    }
}
