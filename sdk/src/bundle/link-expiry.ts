/** Limits seconds since the epoch to years before 9999. */
const epochSeconds = /^\d{1,11}$/;
const basicDateTime = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
const azureDateTime = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?Z)?$/;

/**
 * When a presigned link expires, according to the link itself; undefined if its expiry is missing or invalid. Reads
 * `X-Amz-Date` + `X-Amz-Expires` (S3), `X-Goog-Date` + `X-Goog-Expires` (Google Cloud Storage), `se` (Azure) and
 * `Expires` in epoch seconds (CloudFront, older S3 and Google links, and this project's own service). A link signed
 * with temporary credentials may expire earlier than it says.
 */
export function parseLinkExpiry(url: string): Date | undefined {
    if (!URL.canParse(url)) {
        return undefined;
    }
    const query = new Map([...new URL(url).searchParams].map(([name, value]) => [name.toLowerCase(), value]));
    return (
        parseSignedFor(query.get("x-amz-date"), query.get("x-amz-expires")) ??
        parseSignedFor(query.get("x-goog-date"), query.get("x-goog-expires")) ??
        parseAzureExpiry(query.get("se")) ??
        parseEpoch(query.get("expires"))
    );
}

function parseSignedFor(signedAt: string | undefined, seconds: string | undefined): Date | undefined {
    const match = basicDateTime.exec(signedAt ?? "");
    if (match === null || !/^\d{1,9}$/.test(seconds ?? "")) {
        return undefined;
    }
    const [, year, month, day, hour, minute, second] = match;
    const start = parseExactly(`${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`);
    return start && new Date(start.getTime() + Number(seconds) * 1000);
}

function parseAzureExpiry(value: string | undefined): Date | undefined {
    const match = azureDateTime.exec(value ?? "");
    return match === null ? undefined : parseExactly(`${match[1]}T${match[2] ?? "00:00"}:${match[3] ?? "00"}.000Z`);
}

function parseEpoch(value: string | undefined): Date | undefined {
    return epochSeconds.test(value ?? "") ? new Date(Number(value) * 1000) : undefined;
}

/** Refuses dates that do not exist: Date would shift them to the next month. */
function parseExactly(iso: string): Date | undefined {
    const date = new Date(iso);
    return Number.isNaN(date.getTime()) || date.toISOString() !== iso ? undefined : date;
}
