import assert from "node:assert/strict";
import { writers } from "../../../../exporter/src/api/openapi/code-writers.js";

const post = {
    method: "POST",
    url: "https://api.example.com/it's",
    headers: [
        ["X-Key", "<api-key>"],
        ["Content-Type", "application/json"],
    ] as const,
    body: '{\n  "name": "O\'Neill"\n}',
    bodyType: "application/json",
};
const get = { ...post, method: "GET", headers: [], body: undefined, bodyType: undefined };

describe("the request code in other languages", () => {
    it("is PHP with cURL and correctly escaped strings", () => {
        assert.equal(
            writers.php(post).code,
            [
                "$curl = curl_init('https://api.example.com/it\\'s');",
                "curl_setopt_array($curl, [",
                "    CURLOPT_CUSTOMREQUEST => 'POST',",
                "    CURLOPT_RETURNTRANSFER => true,",
                "    CURLOPT_HTTPHEADER => [",
                "        'X-Key: <api-key>',",
                "        'Content-Type: application/json',",
                "    ],",
                `    CURLOPT_POSTFIELDS => '{ "name": "O\\'Neill" }',`,
                "]);",
                "echo curl_exec($curl);",
            ].join("\n"),
        );
        assert.doesNotMatch(writers.php(get).code, /HTTPHEADER|POSTFIELDS/);
    });

    it("is Ruby with the request class of the method", () => {
        assert.match(writers.ruby(post).code, /Net::HTTP::Post\.new\(uri\)\nrequest\['X-Key'\] = '<api-key>'/);
        assert.match(writers.ruby(get).code, /Net::HTTP::Get\.new\(uri\)\nresponse = /);
    });

    it("is Java with its built-in HTTP client", () => {
        assert.match(
            writers.java(post).code,
            /\.header\("X-Key", "<api-key>"\)[\s\S]*\.method\("POST", [\w.]+\.ofString\("\{ /,
        );
        assert.match(writers.java(get).code, /\.method\("GET", HttpRequest\.BodyPublishers\.noBody\(\)\)/);
    });

    it("is C# with the content type set on the body", () => {
        const { code } = writers.csharp(post);
        assert.match(code, /TryAddWithoutValidation\("X-Key", "<api-key>"\);\nrequest\.Content = new StringContent\(/);
        assert.doesNotMatch(code, /TryAddWithoutValidation\("Content-Type"/);
        assert.match(code, /Encoding\.UTF8, "application\/json"\);/);
        assert.doesNotMatch(writers.csharp(get).code, /Content =/);
    });
});
