import fc from "fast-check";
import { type Files } from "../../support/site-fixture.js";
import { randomDocuments } from "./random-document.js";

type Json = Record<string, unknown>;

/** Random AsyncAPI documents of both versions, with the schemas and texts of random OpenAPI documents. */
export const randomChannels = fc
    .tuple(randomDocuments, fc.boolean())
    .map(([{ files, entry }, isVersion2]): { files: Files; entry: string } => {
        const root = JSON.parse(files[entry] ?? "") as Json;
        const partOf = (given: unknown): Json => {
            const part = given as Json;
            const { $ref } = part;
            if (typeof $ref !== "string" || $ref.startsWith("#")) {
                return part;
            }
            const text = files[$ref] ?? "";
            // The file's references, as from the document's first file.
            const moved = text
                .replaceAll(`"$ref":"../${entry}#/`, '"$ref":"#/')
                .replace(/"\$ref":"f(?=\d)/g, '"$ref":"parts/f');
            return partOf(JSON.parse(moved));
        };
        const operations = Object.values(root["paths"] as Json).map((item) => partOf(partOf(item)["post"]));
        const channels = Object.fromEntries(
            operations.map((operation, at) => [`c${at}`, channelOf(operation, partOf)]),
        );
        const document = isVersion2
            ? {
                  asyncapi: "2.6.0",
                  channels: Object.fromEntries(
                      Object.entries(channels).map(([name, channel]) => [name, ofVersion2(channel)]),
                  ),
              }
            : {
                  asyncapi: "3.0.0",
                  channels: Object.fromEntries(
                      Object.entries(channels).map(([name, { operation, ...channel }]) => [name, channel]),
                  ),
                  operations: Object.fromEntries(
                      Object.entries(channels).map(([name, { operation }]) => [
                          `o${name}`,
                          { ...operation, action: "send", channel: { $ref: `#/channels/${name}` } },
                      ]),
                  ),
              };
        const { components, info } = root;
        return { files: { ...files, [entry]: JSON.stringify({ ...document, info, components }) }, entry };
    });

function channelOf(operation: Json, partOf: (given: unknown) => Json) {
    const bodies = [operation["requestBody"], ...Object.values((operation["responses"] ?? {}) as Json)].flatMap(
        (body) => (body === undefined ? [] : [partOf(body)]),
    );
    const messages = bodies.flatMap((body, at) => {
        const content = body["content"] === undefined ? {} : partOf(body["content"]);
        const [media] = Object.values(content) as Json[];
        const examples = Object.values((media?.["examples"] ?? {}) as Json) as Json[];
        const payloads = [media?.["example"], ...examples.map(({ value }) => value)].filter(
            (value) => value !== undefined,
        );
        return [
            [
                `m${at}`,
                {
                    description: body["description"],
                    ...(media !== undefined && { payload: media["schema"] }),
                    ...(payloads.length > 0 && { examples: payloads.map((payload) => ({ payload })) }),
                },
            ] as const,
        ];
    });
    const parameters = ((operation["parameters"] ?? []) as unknown[]).map(partOf);
    return {
        description: operation["description"],
        parameters: Object.fromEntries(
            parameters.map((parameter) => [
                String(parameter["name"]),
                { description: parameter["description"], schema: parameter["schema"] },
            ]),
        ),
        messages: Object.fromEntries(messages),
        operation: { summary: operation["summary"], description: operation["description"] },
    };
}

function ofVersion2({ messages, operation, ...channel }: ReturnType<typeof channelOf>): Json {
    return { ...channel, publish: { ...operation, message: { oneOf: Object.values(messages) } } };
}
