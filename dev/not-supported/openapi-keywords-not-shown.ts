/**
 * Keywords of an OpenAPI document that the pages of its operations do not show, grouped by the objects of the
 * specification.
 */
export const openapiKeywordsNotShown: readonly string[] = [
    "Info.title",
    "Info.summary",
    "Info.description",
    "Info.termsOfService",
    "Info.contact",
    "Info.license",
    "Info.version",
    "Contact.name",
    "Contact.url",
    "Contact.email",
    "License.name",
    "License.identifier",
    "License.url",
    "Tag.description",
    "Tag.externalDocs",
    "PathItem.summary",
    "PathItem.description",
    "Example.description",
    "Link.server",
    "Schema.xml",
    "XML.name",
    "XML.namespace",
    "XML.prefix",
    "XML.attribute",
    "XML.wrapped",
    "Schema.$comment",
    "Schema.$schema",
    "Schema.$vocabulary",
];
