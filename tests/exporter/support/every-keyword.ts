/** A document with one operation that uses all keywords of OpenAPI 3.0 and 3.1, each with different text. */
export const everyKeyword = {
    openapi: "3.1.0",
    info: { title: "Things", version: "1" },
    tags: [{ name: "things" }],
    servers: [{ url: "https://document.example.com" }],
    components: {
        securitySchemes: {
            key: { type: "apiKey", in: "cookie", name: "key-name", description: "Text of the key" },
            bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT-format" },
            oauth: {
                type: "oauth2",
                flows: {
                    authorizationCode: {
                        authorizationUrl: "https://example.com/authorize",
                        tokenUrl: "https://example.com/token",
                        refreshUrl: "https://example.com/refresh",
                        scopes: { "things:write": "Text of the scope" },
                    },
                },
            },
            open: { type: "openIdConnect", openIdConnectUrl: "https://example.com/discovery" },
        },
        schemas: { Cat: { title: "Cat", properties: { purrs: { type: "boolean" } } } },
    },
    paths: {
        "/things/{id}": {
            parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
            servers: [{ url: "https://path.example.com" }],
            summary: "Summary of the path",
            description: "Text of the path",
            post: {
                tags: ["things"],
                operationId: "changeThing",
                summary: "Change a thing",
                description: "Text of the operation",
                deprecated: true,
                externalDocs: { url: "https://example.com/more", description: "Text of more" },
                security: [{ key: [], bearer: [] }, { oauth: ["things:write"] }, { open: [] }, {}],
                servers: [
                    {
                        url: "https://{region}.example.com",
                        description: "Text of the server",
                        variables: {
                            region: { default: "eu-1", enum: ["eu-1", "us-2"], description: "Text of regions" },
                        },
                    },
                    { url: "https://second.example.com" },
                ],
                parameters: [
                    {
                        name: "filter",
                        in: "query",
                        description: "Text of the filter",
                        required: true,
                        deprecated: true,
                        allowEmptyValue: true,
                        allowReserved: true,
                        style: "deepObject",
                        explode: true,
                        schema: { type: "string" },
                        example: "example of the filter",
                    },
                    {
                        name: "where",
                        in: "query",
                        content: { "application/json": { schema: { type: "integer" } } },
                        examples: { one: { value: "one of several" } },
                    },
                ],
                requestBody: {
                    description: "Text of the body",
                    required: true,
                    content: {
                        "multipart/form-data": {
                            schema: {
                                type: "object",
                                minProperties: 2,
                                additionalProperties: false,
                                required: ["limited"],
                                propertyNames: { pattern: "^name-" },
                                dependentSchemas: { listed: { properties: { dependent: { type: "string" } } } },
                                if: { properties: { condition: { const: "yes" } } },
                                then: { properties: { consequence: { type: "string" } } },
                                else: { properties: { alternative: { type: "string" } } },
                                properties: {
                                    limited: {
                                        type: "string",
                                        format: "uuid",
                                        readOnly: true,
                                        deprecated: true,
                                        nullable: true,
                                        contentSchema: { description: "Text of decoded" },
                                    },
                                    counted: {
                                        type: "number",
                                        writeOnly: true,
                                    },
                                    old: { type: "number", minimum: 1, exclusiveMinimum: true, exclusiveMaximum: true },
                                    listed: {
                                        type: "array",
                                        items: { type: "string", enum: ["choice of items"], maxLength: 77 },
                                        contains: { type: "boolean", description: "Text of contained" },
                                        minContains: 6,
                                        maxContains: 666,
                                        unevaluatedItems: false,
                                    },
                                    chosen: {
                                        oneOf: [
                                            { $ref: "#/components/schemas/Cat" },
                                            { title: "Titled option", enum: ["choice of an option"] },
                                        ],
                                        discriminator: { propertyName: "kindOfThing", mapping: { cat: "Cat" } },
                                        not: { description: "Text of not", type: "null" },
                                    },
                                    any: { anyOf: [{ title: "Any option", properties: { anything: {} } }] },
                                    all: { allOf: [{ properties: { inherited: { type: "string" } } }] },
                                    free: { type: "object", unevaluatedProperties: { description: "Text of others" } },
                                },
                            },
                            encoding: {
                                limited: {
                                    contentType: "image/avif",
                                    style: "spaceDelimited",
                                    explode: false,
                                    allowReserved: true,
                                    headers: { "X-Part": { schema: { type: "string" } } },
                                },
                            },
                            examples: {
                                one: {
                                    summary: "Summary of one",
                                    description: "Text of one",
                                    value: { limited: "value of one" },
                                },
                                two: { summary: "Summary of two", value: { limited: "value of two" } },
                            },
                        },
                    },
                },
                responses: {
                    200: {
                        description: "Text of the answer",
                        headers: {
                            "X-Rate": {
                                description: "Text of the rate",
                                required: true,
                                deprecated: true,
                                allowEmptyValue: true,
                                allowReserved: true,
                                style: "simple",
                                explode: false,
                                schema: { type: "integer", maximum: 88 },
                                example: 11,
                            },
                            "X-Plan": {
                                content: { "text/plain": { schema: { maxLength: 99 } } },
                                examples: { a: { value: "plan-a" } },
                            },
                        },
                        content: {
                            "application/json": { schema: { type: "string" }, example: "example of an answer" },
                        },
                        links: {
                            next: {
                                operationId: "getNext",
                                description: "Text of the link",
                                parameters: { id: "$response.body#/id" },
                                requestBody: "$request.body",
                            },
                            other: {
                                operationRef: "#/paths/~1others/get",
                                server: { url: "https://link.example.com" },
                            },
                        },
                    },
                },
                callbacks: {
                    onChange: {
                        "{$request.body#/callbackUrl}": {
                            post: { summary: "Tells of it", responses: { 204: { description: "Text of heard" } } },
                        },
                    },
                },
            },
        },
    },
};
