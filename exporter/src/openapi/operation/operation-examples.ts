import { asRecord } from "../../text/json-values.js";
import { type ApiOperation } from "../document/api-document.js";
import { type Json, resolveReference } from "../document/references.js";
import { exampleGroup, inTabs } from "./api-sections.js";
import { contentOf } from "./body-content.js";
import { requestOf } from "./operation-request.js";
import { codeSamplesOf } from "../samples/code-samples.js";
import { examplesOf, type SampleOptions } from "../samples/sample.js";
import { type SchemaHost } from "../schema/schema-view.js";

const ofRequest: SampleOptions = { without: "readOnly" };
const ofResponse: SampleOptions = { without: "writeOnly" };

/** What pages that are made of a document are written with. */
export interface ApiHost extends SchemaHost {
    readonly code: (code: string, language: string, title?: string) => string;
}

/** An operation's examples as blocks of code, several of them as tabs. */
export class OperationExamples {
    constructor(
        private readonly operation: ApiOperation,
        private readonly host: ApiHost,
    ) {}

    /** Code that sends the request, in several languages. */
    ofRequest(): string {
        if (this.operation.isWebhook) {
            return "";
        }
        const { display } = this.host;
        const samples = codeSamplesOf(this.operation, requestOf(this.operation, display), display);
        return exampleGroup(
            "Request example",
            samples.map(({ label, language, code }) => this.host.code(code, language, label)),
        );
    }

    /** The examples of a request's body, where there are more than the one in the code that sends it. */
    ofRequestBody(body: Json | undefined): string {
        const blocks = this.#blocks(body, ofRequest, (label) => label);
        return blocks.length > 1 ? inTabs(blocks) : "";
    }

    /** The examples of all responses. */
    ofResponses(): string {
        const { document, node } = this.operation;
        const blocks = Object.entries(asRecord(node["responses"])).flatMap(([status, response]) =>
            this.#blocks(resolveReference(document, response), ofResponse, (label, count) =>
                count === 1 ? status : `${status} ${label}`,
            ),
        );
        return exampleGroup("Response example", blocks);
    }

    ofResponse(response: Json | undefined): string {
        return inTabs(this.#blocks(response, ofResponse, (label) => label));
    }

    /** @param titleOf a block's title, by the example's name and the number of examples */
    #blocks(
        holder: Json | undefined,
        options: SampleOptions,
        titleOf: (label: string, count: number) => string,
    ): string[] {
        const content = contentOf(holder);
        const media = content["application/json"] ?? Object.values(content)[0];
        const examples = examplesOf(this.operation.document, media, options);
        return examples.map(({ label, value }) => {
            const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
            return this.host.code(text, "json", titleOf(label, examples.length));
        });
    }
}
