import { type RenderedBody } from "../html/rendered-body.js";
import { type AsyncChannel } from "./asyncapi/async-document.js";
import { renderChannel } from "./asyncapi/channel-page.js";
import { type ApiModel } from "./documents/models.js";
import { type ApiOperation } from "./openapi/api-document.js";
import { renderOperation } from "./openapi/operation-page.js";
import { type ApiContext } from "./parts/api-context.js";
import { renderModel } from "./parts/model-page.js";

/** The part of a document that a page shows. */
export type PageSubject = ApiOperation | ApiModel | AsyncChannel;

/** Adds a subject to the text of its page. */
export function renderSubject(
    subject: PageSubject,
    body: RenderedBody,
    context: ApiContext,
    hasTryIt: boolean,
): RenderedBody {
    switch (subject.kind) {
        case "operation":
            return renderOperation(subject, body, context, hasTryIt);
        case "model":
            return renderModel(subject, body, context);
        case "channel":
            return renderChannel(subject, body, context);
    }
}

/** The specification that the subject's document follows. */
export function specificationOf({ document }: PageSubject): "AsyncAPI" | "OpenAPI" {
    return document.root["asyncapi"] === undefined ? "OpenAPI" : "AsyncAPI";
}
