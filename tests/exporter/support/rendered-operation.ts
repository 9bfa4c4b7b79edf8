import assert from "node:assert/strict";
import { readApiDocument } from "../../../exporter/src/api/openapi/api-document.js";
import { renderOperation } from "../../../exporter/src/api/openapi/operation-page.js";
import { type RenderedBody } from "../../../exporter/src/html/rendered-body.js";
import { type ApiContext } from "../../../exporter/src/api/parts/api-context.js";

type Json = Readonly<Record<string, unknown>>;

/** The body of the page of an operation, without an export. A warning fails, unless the context takes it. */
export function renderedOperation(node: Json, models: Json = {}, context: Partial<ApiContext> = {}): RenderedBody {
    const root = { openapi: "3.1.0", paths: { "/a": { post: node } }, components: { schemas: models } };
    const parsed = { file: "a.json", digest: "", isPrivate: false, privateModels: new Set<string>(), root };
    const [operation] = readApiDocument(parsed)?.subjects ?? [];
    assert.ok(operation);
    const whole = {
        markdown: (text: string) => `<p>${text}</p>`,
        code: () => "",
        display: {},
        maxCharacters: 150_000,
        modelHref: () => undefined,
        warn: (reason: string) => assert.fail(reason),
        ...context,
    };
    const empty = { html: "", toc: [], sections: [], hasTitle: false, hasDiagram: false, beside: undefined };
    return renderOperation(operation, { ...empty, lead: undefined }, whole, false);
}
