const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const imfFixdate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/;

/** Milliseconds since the epoch of an HTTP date (RFC 9110, 5.6.7); the two obsolete forms give undefined. */
export function parseHttpDate(text: string): number | undefined {
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
    return exists ? date.getTime() : undefined;
}
