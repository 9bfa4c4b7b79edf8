import { asRecord } from "../../text/json-values.js";
import { type ApiOperation } from "./api-document.js";
import { entriesOf, type Json } from "../documents/references.js";
import { exampleGroup, inTabs } from "../parts/api-sections.js";
import { requestOf } from "./operation-request.js";
import { codeSamplesOf } from "./code-samples.js";
import { examplesOf, type SampleOptions } from "../parts/sample.js";
import { type SchemaView } from "../parts/schema-view.js";

/** Code that sends the request, in several languages. */
export function requestExamples(operation: ApiOperation, { host }: SchemaView): string {
    const samples = operation.isWebhook
        ? []
        : codeSamplesOf(operation, requestOf(operation, host.display), host.display);
    return exampleGroup(
        "Request example",
        samples.map(({ label, language, code }) => host.code(code, language, label)),
    );
}

/** The examples of a request's body, where there are more than the one in the code that sends it. */
export function requestBodyExamples(body: Json, view: SchemaView): string {
    const blocks = blocksOf(body, { without: "readOnly" }, view);
    return blocks.length > 1 ? inTabs(blocks) : "";
}

/** The examples of all responses. */
export function responsesExamples(responses: unknown, view: SchemaView): string {
    const blocks = entriesOf(view.document, responses).flatMap(([status, response]) =>
        blocksOf(response, { without: "writeOnly" }, view, (label, count) =>
            count === 1 ? status : `${status} ${label}`,
        ),
    );
    return exampleGroup("Response example", blocks);
}

export function responseExamples(response: Json, view: SchemaView): string {
    return inTabs(blocksOf(response, { without: "writeOnly" }, view));
}

/** The examples of a body as blocks of code. @param titleOf one, by its name and the number of examples */
function blocksOf(
    body: Json,
    options: SampleOptions,
    { document, host }: SchemaView,
    titleOf: (label: string, count: number) => string = (label) => label,
): string[] {
    const content = asRecord(body["content"]);
    const examples = examplesOf(document, content["application/json"] ?? Object.values(content)[0], options);
    return examples.map(({ label, value }) => {
        const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
        return host.code(text, "json", titleOf(label, examples.length));
    });
}
