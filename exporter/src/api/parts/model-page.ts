import { type RenderedBody } from "../../html/rendered-body.js";
import { plainTextOfHtml } from "../../text/html-text.js";
import { referenceTo } from "../documents/references.js";
import { type ApiModel } from "../documents/models.js";
import { type ApiContext } from "./api-context.js";
import { SchemaView } from "./schema-fields.js";

/** Puts the fields of a model below the text of its page. */
export function renderModel({ document, title }: ApiModel, body: RenderedBody, context: ApiContext): RenderedBody {
    const view = new SchemaView(document, context);
    const schema = view.complete(view.described({ $ref: referenceTo(title) }));
    return {
        ...body,
        html: [body.html, schema].filter((part) => part !== "").join("\n"),
        sections: [...body.sections, { id: "", heading: "", text: plainTextOfHtml(schema) }],
    };
}
