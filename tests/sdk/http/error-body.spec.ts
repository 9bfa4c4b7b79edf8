import assert from "node:assert/strict";
import { isApiError, isStorageError, parseErrorText } from "../../../sdk/src/http/error-body.js";

describe("The text of an error", () => {
    it("is the API's own, cleaned of control characters and of the key", () => {
        assert.equal(parseErrorText('{"error":"no such job"}', []), "no such job");
        const text = parseErrorText('{"error":"key adm_5ecret\\u001b[31m"}', ["adm_5ecret"]) ?? "";
        assert.deepEqual([text.includes("5ecret"), text.includes("\u001b")], [false, false]);
    });

    it("is unknown for any other body", () => {
        for (const body of ["", "no such job", "null", "[]", "{}", '{"error":""}', '{"error":404}', '{"error":{}}']) {
            assert.equal(parseErrorText(body, []), undefined, body);
        }
    });
});

describe("An answer that a job is gone", () => {
    it("counts if it is in the API's form and says more than the status", () => {
        assert.equal(isApiError('{"error":"no export job se_42"}', 404), true);
        assert.equal(isApiError('{"error":"Not Found","jobId":"se_42"}', 410), true);
        assert.equal(isApiError('{"error":"odd"}', 799), true);
    });

    for (const [what, body] of [
        ["no JSON", "not found"],
        ["no object", "null"],
        ["another form", '{"errors":["no such job"]}'],
        ["an error that is not a text", '{"error":{"code":404}}'],
        ["an empty error", '{"error":""}'],
        ["the words of the status", '{"error":"Not Found"}'],
        ["these words in other letters", '{"error":"NOT FOUND"}'],
        ["a message of a framework", '{"error":"no route","message":"x"}'],
        ["a status of a framework", '{"error":"no route","statusCode":404}'],
        ["a short status of a framework", '{"error":"no route","status":404}'],
        ["a path of a framework", '{"error":"no route","path":"/v1"}'],
        ["a time of a framework", '{"timestamp":"2026","error":"no route"}'],
    ] as const) {
        it(`does not count with ${what}, which a gateway without a backend may have given`, () => {
            assert.equal(isApiError(body, 404), false);
        });
    }
});

describe("An error of a storage", () => {
    for (const body of [
        "<Error><Code>AccessDenied</Code></Error>",
        ' \n<?xml version="1.0" encoding="UTF-8"?>\n<Error>\n<Code>AccessDenied</Code>',
        '<?xml version="1.0"?><Error xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Code>x</Code>',
    ]) {
        it(`is ${JSON.stringify(body)}`, () => assert.equal(isStorageError(body), true));
    }

    for (const body of [
        "",
        "<html><Error><Code>x</Code>",
        "x<Error><Code>x</Code>",
        "<Errors><Code>x</Code>",
        "<Error>words<Code>x</Code>",
        "<Error><Message>x</Message>",
    ]) {
        it(`is not ${JSON.stringify(body)}`, () => assert.equal(isStorageError(body), false));
    }
});
