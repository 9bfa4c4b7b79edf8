import { isRecord } from "@pulumi-static-export/contract";

/**
 * A message without values that some clients send in place of omitted ones, and that the protocol's library refuses:
 * null for parameters and for inputs of tools, and numbers as text.
 */
export function lenientMessage(message: unknown): unknown {
    if (Array.isArray(message)) {
        return message.map(lenientMessage);
    }
    if (!isRecord(message)) {
        return message;
    }
    const { params, ...others } = message;
    if (params === null) {
        return others;
    }
    if (message.method !== "tools/call" || !isRecord(params)) {
        return message;
    }
    const { arguments: inputs, ...rest } = params;
    if (inputs === null) {
        return { ...others, params: rest };
    }
    return isRecord(inputs) ? { ...others, params: { ...rest, arguments: withoutNulls(inputs) } } : message;
}

const numbers = new Set(["limit", "offset"]);

function withoutNulls(inputs: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const given = Object.entries(inputs).filter(([, value]) => value !== null);
    return Object.fromEntries(
        given.map(([name, value]) => [
            name,
            numbers.has(name) && typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value,
        ]),
    );
}
