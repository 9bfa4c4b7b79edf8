import { isRecord } from "@pulumi-static-export/contract";

/** Inputs of tools as objects; in a text of JSON, the quotation marks would be escaped. */
const inputAsObject = /"arguments"\s*:\s*\{/;

/** Rewrites events of an endpoint that sends inputs of tools as objects: the AI SDK accepts only JSON as text. */
export async function* lenientEvents(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of chunks) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        if (lines.length > 0) {
            yield Buffer.from(`${lines.map(lenientLine).join("\n")}\n`);
        }
    }
    yield Buffer.from(lenientLine(rest + decoder.decode()));
}

function lenientLine(line: string): string {
    if (!inputAsObject.test(line)) {
        return line;
    }
    // After the name of the field.
    const start = line.indexOf("{");
    try {
        return line.slice(0, start) + JSON.stringify(JSON.parse(line.slice(start), inputToText));
    } catch {
        // The AI SDK reports invalid JSON.
        return line;
    }
}

function inputToText(_: string, value: unknown): unknown {
    const { function: called } = isRecord(value) ? value : {};
    return isRecord(called) && isRecord(called.arguments)
        ? { ...(value as object), function: { ...called, arguments: JSON.stringify(called.arguments) } }
        : value;
}
