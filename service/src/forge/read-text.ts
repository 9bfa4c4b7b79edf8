/** @throws as soon as the body is longer than `maxBytes`, without reading the rest */
export async function readText(body: AsyncIterable<Uint8Array | string> | null, maxBytes: number): Promise<string> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body ?? []) {
        const buffer = Buffer.from(chunk as Uint8Array);
        bytes += buffer.length;
        if (bytes > maxBytes) {
            throw new Error(`the answer is longer than ${maxBytes} bytes`);
        }
        chunks.push(buffer);
    }
    return Buffer.concat(chunks).toString("utf8");
}
