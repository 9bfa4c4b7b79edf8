/** A document of version 3 that uses every keyword, each with different text. */
export const everyKeywordOf3 = {
    asyncapi: "3.0.0",
    info: { title: "Chat", version: "1" },
    defaultContentType: "application/cbor",
    servers: {
        main: {
            host: "{region}.example.com",
            pathname: "/socket",
            protocol: "wss",
            protocolVersion: "13",
            title: "Title of the server",
            summary: "Summary of the server",
            description: "Text of the server",
            variables: {
                region: { default: "eu-1", enum: ["eu-1", "us-2"], description: "Text of regions", examples: ["us-2"] },
            },
            security: ["oauth", "user", "key", "open"].map((name) => ({
                $ref: `#/components/securitySchemes/${name}`,
            })),
            tags: [{ name: "tag of the server" }],
            externalDocs: { url: "https://example.com/server" },
            bindings: { kafka: { schemaRegistryUrl: "https://registry.example.com" } },
        },
        other: { host: "other.example.com", protocol: "kafka" },
    },
    channels: {
        chat: {
            address: "rooms/{room}",
            title: "Title of the channel",
            summary: "Summary of the channel",
            description: "Text of the channel",
            servers: [{ $ref: "#/servers/main" }],
            parameters: {
                room: {
                    description: "Text of the room",
                    enum: ["lobby", "kitchen"],
                    default: "lobby",
                    examples: ["kitchen"],
                    location: "$message.payload#/room",
                },
            },
            messages: { said: { $ref: "#/components/messages/said" }, unused: { title: "Message of the channel" } },
            tags: [{ $ref: "#/components/tags/talk" }],
            externalDocs: { url: "https://example.com/channel", description: "Text of more" },
            bindings: { ws: { method: "GET", query: { type: "object", properties: { ticket: { type: "string" } } } } },
        },
    },
    operations: {
        say: {
            action: "receive",
            channel: { $ref: "#/channels/chat" },
            title: "Title of the operation",
            summary: "Summary of the operation",
            description: "Text of the operation",
            messages: [{ $ref: "#/channels/chat/messages/said" }],
            security: [{ $ref: "#/components/securitySchemes/bearer" }],
            tags: [{ name: "tag of the operation" }],
            externalDocs: { url: "https://example.com/operation" },
            bindings: { mqtt: { qos: 2 } },
            traits: [{ bindings: { amqp: { expiration: 4711 } } }],
            reply: {
                address: { location: "$message.header#/replyTo", description: "Text of the reply's address" },
                channel: { $ref: "#/channels/chat" },
                messages: [{ $ref: "#/components/messages/heard" }],
            },
        },
    },
    components: {
        tags: { talk: { name: "tag of the channel" } },
        securitySchemes: {
            user: { type: "userPassword", description: "Text of the user" },
            bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT-format" },
            key: { type: "httpApiKey", in: "query", name: "key-name" },
            open: { type: "openIdConnect", openIdConnectUrl: "https://example.com/discovery" },
            oauth: {
                type: "oauth2",
                scopes: ["chat:write"],
                flows: {
                    clientCredentials: {
                        authorizationUrl: "https://example.com/authorize",
                        tokenUrl: "https://example.com/token",
                        refreshUrl: "https://example.com/refresh",
                        availableScopes: { "chat:write": "Text of the scope" },
                    },
                },
            },
        },
        messages: {
            said: {
                name: "name-of-said",
                title: "Title of said",
                summary: "Summary of said",
                description: "Text of said",
                deprecated: true,
                contentType: "application/x-said",
                correlationId: { location: "$message.header#/id", description: "Text of the correlation" },
                headers: {
                    type: "object",
                    properties: { replyTo: { type: "string", description: "Text of replyTo" } },
                },
                payload: {
                    schemaFormat: "application/schema+json;version=draft-07",
                    schema: { $ref: "#/components/schemas/Said" },
                },
                examples: [
                    {
                        name: "name of the example",
                        summary: "Summary of the example",
                        headers: { replyTo: "header of the example" },
                        payload: { text: "payload of the example" },
                    },
                    { summary: "Summary of a second example", payload: {} },
                ],
                tags: [{ name: "tag of said" }],
                externalDocs: { url: "https://example.com/said" },
                bindings: { http: { statusCode: 208 } },
                traits: [{ headers: { properties: { trace: { type: "string" } } } }],
            },
            heard: {
                title: "Title of heard",
                payload: { schemaFormat: "application/vnd.apache.avro;version=1.9.0", schema: { name: "AvroRecord" } },
            },
        },
        schemas: {
            Said: {
                type: "object",
                discriminator: "kindOfSaid",
                propertyNames: { pattern: "^name-" },
                dependencies: { text: ["size"], size: { properties: { dependent: { type: "string" } } } },
                if: { properties: { condition: { const: "yes" } } },
                then: { properties: { consequence: { type: "string" } } },
                else: { properties: { alternative: { type: "string" } } },
                properties: {
                    text: {
                        type: "string",
                        description: "Text of text",
                        readOnly: true,
                        deprecated: true,
                    },
                    size: {
                        type: "number",
                        writeOnly: true,
                    },
                    pair: {
                        type: "array",
                        items: [{ type: "integer", description: "Text of the first item" }],
                        additionalItems: { type: "boolean", description: "Text of other items" },
                    },
                    any: { anyOf: [{ title: "Any option", properties: { anything: {} } }] },
                    all: { allOf: [{ properties: { inherited: { type: "string" } } }] },
                    referred: { $ref: "#/components/schemas/Said/definitions/Inner" },
                },
                definitions: { Inner: { type: "object", properties: { defined: { type: "string" } } } },
            },
        },
    },
};

const { chat } = everyKeywordOf3.channels;
const { main } = everyKeywordOf3.servers;
const { say } = everyKeywordOf3.operations;
const { securitySchemes, messages, schemas } = everyKeywordOf3.components;
const { room } = chat.parameters;
const { authorizationUrl, tokenUrl, refreshUrl } = securitySchemes.oauth.flows.clientCredentials;

/** The same keywords, as far as version 2 has them, in its format. */
export const everyKeywordOf2 = {
    asyncapi: "2.6.0",
    info: { title: "Chat", version: "1" },
    defaultContentType: "application/cbor",
    servers: {
        main: {
            url: "wss://two.example.com",
            protocol: main.protocol,
            protocolVersion: main.protocolVersion,
            description: main.description,
            variables: main.variables,
            tags: main.tags,
            bindings: main.bindings,
            security: [{ key: [] }, { open: ["openid:read"] }, { oauth: ["chat:read"] }, { user: [] }],
        },
    },
    channels: {
        "rooms/{room}": {
            deprecated: true,
            description: chat.description,
            bindings: chat.bindings,
            servers: ["main"],
            parameters: {
                room: {
                    description: room.description,
                    location: room.location,
                    schema: { type: "string", pattern: "^room-", enum: room.enum, default: room.default },
                },
            },
            publish: {
                operationId: "idOfPublish",
                summary: say.summary,
                description: say.description,
                tags: say.tags,
                externalDocs: { ...say.externalDocs, description: "Text of more" },
                bindings: say.bindings,
                traits: say.traits,
                security: [{ bearer: [] }],
                message: {
                    oneOf: [
                        { name: "first-of-one", payload: {} },
                        { $ref: "#/components/messages/second" },
                        { ...messages.said, payload: { $ref: "#/components/schemas/Said" } },
                    ],
                },
            },
            subscribe: {
                message: {
                    name: "named",
                    schemaFormat: "application/vnd.apache.avro;version=1.8.2",
                    payload: { type: "record", name: "AvroOf2" },
                },
            },
        },
    },
    components: {
        schemas,
        messages: { second: { payload: { type: "integer", minimum: 77 } } },
        securitySchemes: {
            user: securitySchemes.user,
            bearer: securitySchemes.bearer,
            key: securitySchemes.key,
            open: securitySchemes.open,
            oauth: {
                type: "oauth2",
                flows: {
                    implicit: { authorizationUrl, tokenUrl, refreshUrl, scopes: { "chat:read": "Text of reading" } },
                },
            },
        },
    },
};
