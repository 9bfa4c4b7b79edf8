import { paint, type Terminal } from "../command-line/terminal.js";

/** The result of one check. */
export interface Finding {
    /** What was checked, in a word or two. */
    check: string;
    /** `error` prevents `pulumi up` from working, `warning` may prevent it; `skipped` was not checked. */
    status: "ok" | "warning" | "error" | "skipped";
    found: string;
    /** What to do, as a sentence. */
    fix?: string;
}

export function ok(check: string, found: string): Finding {
    return { check, status: "ok", found };
}

export function skipped(check: string, found: string): Finding {
    return { check, status: "skipped", found };
}

export function warning(check: string, found: string, fix: string): Finding {
    return { check, status: "warning", found, fix };
}

export function error(check: string, found: string, fix: string): Finding {
    return { check, status: "error", found, fix };
}

const labels = {
    ok: ["ok", "green"],
    warning: ["warn", "yellow"],
    error: ["error", "red"],
    skipped: ["-", "cyan"],
} as const;

/** Writes one line for each finding, with its fix below. */
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

/** The remedy of an error message, which follows a colon there, as a sentence. */
export function asSentence(clause: string): string {
    return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}`;
}
