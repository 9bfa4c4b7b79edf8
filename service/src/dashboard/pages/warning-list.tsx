import { Foreign } from "./parts.js";

export interface Warnings {
    count: number;
    countByKind: Record<string, number>;
    first: { kind: string; file: string; line?: number; reason: string; places?: number }[];
}

/** The warnings of an export, grouped by their kind. */
export function WarningList({ warnings }: { warnings: Warnings | undefined }) {
    if (warnings === undefined || warnings.count === 0) {
        return null;
    }
    return (
        <>
            <h2>{`${warnings.count} ${warnings.count === 1 ? "warning" : "warnings"}`}</h2>
            {Object.entries(warnings.countByKind).map(([kind, count]) => (
                <details class="card">
                    <summary>
                        {kind} ({count})
                    </summary>
                    <ul>
                        {warnings.first
                            .filter((warning) => warning.kind === kind)
                            .map(({ file, line, reason, places }) => (
                                <li>
                                    <code class="foreign">{line === undefined ? file : `${file}:${line}`}</code>{" "}
                                    <Foreign text={reason} />
                                    {places === undefined ? null : ` (${places} places)`}
                                </li>
                            ))}
                    </ul>
                </details>
            ))}
        </>
    );
}
