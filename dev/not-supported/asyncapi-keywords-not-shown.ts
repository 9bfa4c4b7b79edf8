/**
 * Keywords of an AsyncAPI document that the pages of its channels do not show, grouped by the objects of the
 * specification.
 */
export const asyncapiKeywordsNotShown: readonly string[] = [
    "Document.id",
    "Document.tags",
    "Document.externalDocs",
    "Info.title",
    "Info.version",
    "Info.description",
    "Info.termsOfService",
    "Info.contact",
    "Info.license",
    "Info.tags",
    "Info.externalDocs",
    "Contact.name",
    "Contact.url",
    "Contact.email",
    "License.name",
    "License.url",
    "Message.messageId",
    "Tag.description",
    "Tag.externalDocs",
    "Schema.$comment",
    "Schema.$id",
    "Schema.$schema",
];
