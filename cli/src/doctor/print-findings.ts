import { paint, type Terminal } from "../command-line/terminal.js";
import { type Finding } from "./finding.js";

const labels = {
    ok: ["ok", "green"],
    warning: ["warn", "yellow"],
    error: ["error", "red"],
    skipped: ["-", "cyan"],
} as const;

/** One line for each finding, and its fix below it. */
export function describeFindings(findings: readonly Finding[], terminal: Terminal, env: NodeJS.ProcessEnv): string {
    const width = Math.max(...findings.map(({ check }) => check.length));
    return findings
        .map(({ check, status, found, fix }) => {
            const [label, color] = labels[status];
            const line = `${paint(label.padEnd(5), color, terminal, env)}  ${check.padEnd(width)}  ${found}`;
            return fix === undefined ? line : `${line}\n${" ".repeat(7)}${fix}`;
        })
        .join("\n");
}
