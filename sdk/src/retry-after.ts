const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const imfFixdate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/;

/**
 * Milliseconds that a `Retry-After` header asks to wait: whole seconds or an HTTP date (RFC 9110, 10.2.3), where a date
 * that has passed is 0. Undefined when it is neither; the two obsolete date forms count as neither.
 */
export function parseRetryAfter(value: string | null | undefined, nowMs: number): number | undefined {
    const text = value?.trim() ?? "";
    if (/^\d{1,10}$/.test(text)) {
        return Number(text) * 1000;
    }
    const match = imfFixdate.exec(text);
    if (match === null) {
        return undefined;
    }
    const [day, month, year, hour, minute, second] = [
        Number(match[1]),
        months.indexOf(match[2] ?? ""),
        Number(match[3]),
        Number(match[4]),
        Number(match[5]),
        Number(match[6]),
    ] as const;
    const date = new Date(Date.UTC(year, month, day, hour, minute, Math.min(second, 59)));
    const exists = month >= 0 && date.getUTCDate() === day && hour <= 23 && minute <= 59 && second <= 60;
    return exists ? Math.max(0, date.getTime() - nowMs) : undefined;
}
