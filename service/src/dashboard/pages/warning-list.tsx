import { type Answer } from "../../http/protocol/schemas.js";
import { Foreign } from "./parts.js";

/** The warnings of an export, grouped by their kind. */
export function WarningList({ warnings }: { warnings: Answer<"StaticExportJob">["warnings"] }) {
    if (warnings === undefined || warnings.count === 0) {
        return null;
    }
    return (
        <>
            <h2>{`${warnings.count} ${warnings.count === 1 ? "warning" : "warnings"}`}</h2>
            {Object.entries(warnings.countByKind).map(([kind, count]) => {
                const listed = warnings.first.filter((warning) => warning.kind === kind);
                const left = count - listed.length;
                return (
                    <details class="card">
                        <summary>
                            {kind} ({count})
                        </summary>
                        <ul>
                            {listed.map(({ file, line, reason, places }) => (
                                <li>
                                    <code class="foreign">{line === undefined ? file : `${file}:${line}`}</code>{" "}
                                    <Foreign text={reason} />
                                    {places === undefined ? null : ` (${places} places)`}
                                </li>
                            ))}
                            {left > 0 ? (
                                <li class="soft">{`and ${left} more, which the service did not store`}</li>
                            ) : null}
                        </ul>
                    </details>
                );
            })}
        </>
    );
}
