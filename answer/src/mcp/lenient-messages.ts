import { Transform } from "node:stream";

/** Some clients send null for omitted parameters, which the protocol's library does not answer. */
export function withoutNullParams(message: unknown): unknown {
    if (Array.isArray(message)) {
        return message.map(withoutNullParams);
    }
    if (typeof message !== "object" || message === null || (message as { params?: unknown }).params !== null) {
        return message;
    }
    const { params, ...others } = message as { params: null };
    return others;
}

/**
 * Rewrites lines of JSON for the protocol's library: drops parameters that are null, and splits batches, which earlier
 * revisions of the protocol allow, into messages.
 */
export function createMessageReader(): Transform {
    let rest = "";
    return new Transform({
        decodeStrings: false,
        transform(chunk: Buffer | string, _, done) {
            const lines = (rest + chunk.toString()).split("\n");
            rest = lines.pop() ?? "";
            done(null, lines.map((line) => `${rewritten(line)}\n`).join(""));
        },
        flush(done) {
            done(null, rest === "" ? "" : `${rewritten(rest)}\n`);
        },
    });
}

function rewritten(line: string): string {
    try {
        const message = withoutNullParams(JSON.parse(line));
        return (Array.isArray(message) ? message : [message]).map((each) => JSON.stringify(each)).join("\n");
    } catch {
        // The library reports invalid JSON.
        return line;
    }
}
