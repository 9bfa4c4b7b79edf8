/** Keywords of an OpenAPI document that the pages of its operations do not show, as `Object.keyword`. */
export const openapiKeywordsNotShown = keywordsOf({
    Info: "title summary description termsOfService contact license version",
    Contact: "name url email",
    License: "name identifier url",
    Tag: "description externalDocs",
    PathItem: "summary description",
    Example: "description",
    Link: "server",
    Schema: "xml $comment $schema $vocabulary",
    XML: "name namespace prefix attribute wrapped",
});

/** Keywords of an AsyncAPI document that the pages of its channels do not show. */
export const asyncapiKeywordsNotShown = keywordsOf({
    Document: "id tags externalDocs",
    Info: "title version description termsOfService contact license tags externalDocs",
    Contact: "name url email",
    License: "name url",
    Message: "messageId",
    Tag: "description externalDocs",
    Schema: "$comment $id $schema",
});

/** @param keywords by the object of the specification */
function keywordsOf(keywords: Readonly<Record<string, string>>): readonly string[] {
    return Object.entries(keywords).flatMap(([object, names]) => names.split(" ").map((name) => `${object}.${name}`));
}
