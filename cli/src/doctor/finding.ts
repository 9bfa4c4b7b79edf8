/** The result of one check. */
export interface Finding {
    /** What was checked, in a word or two. */
    check: string;
    /** `error` prevents `pulumi up` from working, `warning` may; `skipped` was not checked. */
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
