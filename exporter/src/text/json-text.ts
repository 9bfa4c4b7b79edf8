declare global {
    interface JSON {
        /** Not yet in TypeScript's library: a value that `stringify` writes as it is. */
        rawJSON?(text: string): unknown;
    }
}

/** A value as JSON, with integers of more than 53 bits as they are. */
export function jsonOf(value: unknown, indent?: number): string {
    return JSON.stringify(value, withBigIntegers, indent);
}

/** A text as it is, and other values as JSON; empty for undefined. */
export function plainText(value: unknown): string {
    return typeof value === "string" ? value : (jsonOf(value) ?? "");
}

/** Reads JSON; integers that a number would round are big integers. */
export function parseJson(text: string): unknown {
    return /\d{16}/.test(text) ? (JSON.parse(text, exactInteger) as unknown) : JSON.parse(text);
}

/** An integer as a number, or as a big integer if a number would round it. */
export function integerOf(text: string): number | bigint {
    const value = Number(text);
    return Number.isSafeInteger(value) ? value : BigInt(text);
}

function withBigIntegers(_: string, value: unknown): unknown {
    return typeof value === "bigint" ? (JSON.rawJSON?.(String(value)) ?? Number(value)) : value;
}

function exactInteger(_: string, value: unknown, { source = "" }: { readonly source?: string } = {}): unknown {
    return typeof value === "number" && /^-?\d{16,}$/.test(source) ? integerOf(source) : value;
}
